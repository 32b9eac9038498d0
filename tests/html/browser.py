# SPDX-License-Identifier: BSD-2-Clause
"""Drives a headless Chromium over the DevTools protocol, with the standard
library only: one page, its console, its pictures.

    with Browser() as page:
        page.open("/path/report.html")
        page.eval("document.title")
        assert not page.errors
"""
import base64
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
         "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-extensions",
         "--disable-dev-shm-usage", "--no-proxy-server",
         "--remote-debugging-port=0", "--remote-allow-origins=*"]


def program():
    """Returns the path of Chromium, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class WebSocket:
    """A WebSocket client for text messages (RFC 6455)."""

    def __init__(self, url):
        host, _, path = url.removeprefix("ws://").partition("/")
        name, _, port = host.partition(":")
        self.sock = socket.create_connection((name, int(port)), timeout=60)
        self.file = self.sock.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.sock.sendall((f"GET /{path} HTTP/1.1\r\nHost: {host}\r\n"
                           "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                           f"Sec-WebSocket-Key: {key}\r\n"
                           "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        status = self.file.readline()
        assert b" 101 " in status, status
        while self.file.readline() not in (b"\r\n", b""):
            pass

    def send(self, text):
        data = text.encode()
        mask = os.urandom(4)
        if len(data) < 126:
            head = struct.pack("!BB", 0x81, 0x80 | len(data))
        elif len(data) < 65536:
            head = struct.pack("!BBH", 0x81, 0x80 | 126, len(data))
        else:
            head = struct.pack("!BBQ", 0x81, 0x80 | 127, len(data))
        pad = (mask * (len(data) // 4 + 1))[:len(data)]
        body = (int.from_bytes(data, "big") ^ int.from_bytes(pad, "big")
                ).to_bytes(len(data), "big")
        self.sock.sendall(head + mask + body)

    def receive(self):
        """Returns the next whole message."""
        text = b""
        while True:
            first, second = self.file.read(2)
            size = second & 0x7f
            if size == 126:
                size, = struct.unpack("!H", self.file.read(2))
            elif size == 127:
                size, = struct.unpack("!Q", self.file.read(8))
            body = self.file.read(size)
            if first & 0x0f > 2:  # pings and pongs are ignored
                continue
            text += body
            if first & 0x80:
                return text.decode()


class Browser:
    """An open page; |errors| are the errors on its console."""

    def __init__(self, width=1280, height=900):
        self.size = width, height
        self.errors = []
        self.loaded = False
        self.number = 0

    def __enter__(self):
        self.home = tempfile.TemporaryDirectory(prefix="rung-chromium-",
                                                ignore_cleanup_errors=True)
        self.child = subprocess.Popen(
            [program(), *FLAGS, f"--user-data-dir={self.home.name}",
             "--window-size=%d,%d" % self.size, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.socket = WebSocket(self.find())
        except BaseException:
            self.__exit__()
            raise
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        return self

    def __exit__(self, *_):
        self.child.terminate()
        self.child.wait(timeout=20)
        self.home.cleanup()

    def find(self):
        """Returns the address of the page; Chromium writes its port to a
        file."""
        port = pathlib.Path(self.home.name) / "DevToolsActivePort"
        until = time.monotonic() + 40
        while not (port.exists() and port.read_text().count("\n")):
            assert self.child.poll() is None, "Chromium ended"
            assert time.monotonic() < until, "Chromium does not start"
            time.sleep(0.02)
        number = port.read_text().split("\n")[0]
        url = f"http://127.0.0.1:{number}/json/list"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(url, timeout=40) as answer:
            pages = json.load(answer)
        return next(p["webSocketDebuggerUrl"] for p in pages
                    if p["type"] == "page")

    def event(self, message):
        method, params = message["method"], message["params"]
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", details)
                               .get("description", details["text"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in (
                "error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in (
                "error", "warning", "assert"):
            self.errors.append(str(params["args"]))

    def call(self, method, **params):
        self.number += 1
        mine = self.number
        self.socket.send(json.dumps({"id": mine, "method": method,
                                     "params": params}))
        while True:
            message = json.loads(self.socket.receive())
            if "method" in message:
                self.event(message)
            elif message["id"] == mine:
                assert "error" not in message, (method, message["error"])
                return message["result"]

    def open(self, path):
        """Loads a file. Returns the seconds until its load event."""
        self.loaded = False
        began = time.monotonic()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        while not self.loaded:
            message = json.loads(self.socket.receive())
            if "method" in message:
                self.event(message)
        return time.monotonic() - began

    def eval(self, script):
        """Returns the value of an expression; waits for a promise."""
        answer = self.call("Runtime.evaluate", expression=script,
                           returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def media(self, kind="", **features):
        """Emulates a medium: media("print"), media(scheme="dark")."""
        self.call("Emulation.setEmulatedMedia", media=kind, features=[
            {"name": "prefers-color-scheme", "value": value}
            for value in features.values()])

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path):
        """Returns a screenshot as PNG."""
        shot = self.call("Page.captureScreenshot", format="png")
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF",
                                          printBackground=True)["data"])
