#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rung pack and rung run --evidence: a package that a stranger can check.

"pack.py RUNG --bytes 200" changes more bytes than the check does; "--few" makes
fewer packages, for a slow program.
"""
import base64
import csv
import hashlib
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

from lib import expect, main, rung, write

SOME = "uet/rud/ack"
ONE = "uet/rud/send-gtd@target"
BYTES = int(sys.argv[sys.argv.index("--bytes") + 1]) \
    if "--bytes" in sys.argv else 12
FEW = "--few" in sys.argv
ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTES = {"pack.json", "statement.json", "statement.dsse.json", "signer.pem"}


def run(*args, code=0):
    return expect(rung("run", "--dut", "virtual", "-q", "--transcript",
                       "--out", "out", *args), code)


def pack(*args):
    return expect(rung("pack", "out", *args), 0)


def verify(*args):
    return rung("verify", "out", *args)


def openssl(*args):
    subprocess.run(["openssl", *args], check=True, capture_output=True)


def keys():
    openssl("genpkey", "-algorithm", "ed25519", "-out", "ed.pem")
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt",
            "ec_paramgen_curve:P-256", "-out", "ec.pem")
    openssl("genpkey", "-algorithm", "RSA", "-out", "rsa.pem")
    for name in ("ed", "ec", "rsa"):
        openssl("pkey", "-in", f"{name}.pem", "-pubout", "-out", f"{name}.pub")


def verdicts(done):
    """The verdict of each result, as the package alone gives it."""
    lines = [line.split() for line in done.stdout.splitlines()
             if "@" in line and line.startswith(("verified", "DIFFERS"))]
    return {words[2].rstrip(":"): (words[0], words[1]) for words in lines}


def test_a_package_is_whole():
    run(SOME)
    pack()
    done = expect(verify(), 0, "the package has 0 faults")
    assert "no valid signature" in done.stdout
    assert "no certificate" in done.stdout
    doc = json.loads(pathlib.Path("out/pack.json").read_text())
    here = {str(p.relative_to("out")) for p in pathlib.Path("out").rglob("*")
            if p.is_file()} - NOTES
    assert {f[0] for f in doc["files"]} == here
    assert doc["kind"] == "record"
    schema = json.loads((ROOT / "docs/pack.schema.json").read_text())
    assert set(doc) == set(schema["required"]) == set(schema["properties"])
    said = json.loads(pathlib.Path("out/statement.json").read_text())
    assert said["_type"] == "https://in-toto.io/Statement/v1"
    assert said["predicate"]["result"] == "PASSED"
    assert len(said["predicate"]["passedTests"]) == doc["results"]["pass"]
    # Packing again changes nothing, and so does moving the folder.
    before = pathlib.Path("out/pack.json").read_bytes()
    pack()
    assert pathlib.Path("out/pack.json").read_bytes() == before
    os.rename("out", "elsewhere")
    expect(rung("verify", "-q", "elsewhere/"), 0, "0 faults")


def test_signatures():
    keys()
    run(ONE)
    for name in ("ed", "ec"):
        pack("--key", f"{name}.pem")
        assert not pathlib.Path("out/statement.json").exists()
        expect(verify("--key", f"{name}.pub"), 0, "signed with your key")
        expect(verify(), 0, "which the package brings itself")
    expect(verify("--key", "ed.pub"), 5, "it names another key")
    # The signature is the one of the envelope's standard.
    pack("--key", "ed.pem")
    envelope = json.loads(pathlib.Path("out/statement.dsse.json").read_text())
    payload = base64.b64decode(envelope["payload"])
    kind = envelope["payloadType"].encode()
    pathlib.Path("signed").write_bytes(
        b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload))
    pathlib.Path("sig").write_bytes(
        base64.b64decode(envelope["signatures"][0]["sig"]))
    openssl("pkeyutl", "-verify", "-pubin", "-inkey", "ed.pub", "-rawin",
            "-in", "signed", "-sigfile", "sig")
    expect(rung("pack", "out", "--key", "rsa.pem"), 2,
           err="neither Ed25519 nor ECDSA")
    expect(rung("pack", "out", "--key", "ed.pub"), 2, err="no private key")
    expect(rung("pack", "out", "--key", "none"), 2, err="No such file")
    # Without a key the earlier signature goes.
    pack()
    expect(verify(), 0, "no valid signature")
    expect(verify("--key", "ed.pub"), 5, "the package is not signed")


def test_a_manifest_made_anew_needs_the_key():
    keys()
    run(ONE)
    pack("--key", "ed.pem")
    pathlib.Path("out/report.txt").write_text("all is well\n")
    pack("--key", "ec.pem")
    expect(verify("--key", "ed.pub"), 5)
    pack()
    expect(verify("--key", "ed.pub"), 5)


def test_verdicts_need_no_report():
    mine = write("mine.lad", """title   A wrong expectation
covers  RUD-SVC-2
needs   rud send

chair target
  use open
  base fwd=100
  >  rud_req psn=100 clear_psn=99 ar | std send message_id=7 som eom | data 32
  <  ack ack_psn=100 cack_psn=99 | response message_id=7        [RUD-SVC-3]
  use close
""")
    run(SOME, mine, code=1)
    pack()
    before = verdicts(verify())
    assert {v for _, v in before.values()} == {"pass", "fail"}
    for report in pathlib.Path("out").iterdir():
        if report.is_file() and report.name not in NOTES | {"run.json"}:
            report.unlink()
    done = expect(verify(), 5, "MISSING        results.json")
    assert verdicts(done) == before
    assert "ALTERED" not in done.stdout and "ADDED" not in done.stdout


def alter_packet(path, chance):
    """Alter a PSN in a packet that the device sent."""
    lines = path.read_text().splitlines(keepends=True)
    packets = [i for i, line in enumerate(lines)
               if line.startswith('["next",0,"dgram"')]
    at = chance.choice(packets)
    line = json.loads(lines[at])
    data = bytearray(bytes.fromhex(line[7]))
    data[4 + chance.randrange(4)] ^= 1 << chance.randrange(8)
    line[7] = data.hex()
    lines[at] = json.dumps(line, separators=(",", ":")) + "\n"
    path.write_text("".join(lines))


def test_an_altered_packet_with_a_new_manifest():
    """Whoever alters a packet can make a new manifest; the verdict shows it."""
    run("uet/rud/send-gtd", "uet/rud/ack-lost")
    shutil.copytree("out", "kept")
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    paths = sorted(pathlib.Path("out/cases").rglob("transcript.jsonl"))
    for _ in range(3 if FEW else 20):
        shutil.rmtree("out")
        shutil.copytree("kept", "out")
        path = chance.choice(paths)
        alter_packet(path, chance)
        pack()
        done = expect(verify("-q"), 5)
        got = verdicts(done)
        case = str(path.parent.relative_to("out/cases"))
        assert list(got) == [case], (seed, done.stdout)
        assert got[case][0] == "DIFFERS", (seed, done.stdout)
        assert got[case][1] != "pass", (seed, done.stdout)
        assert "does not follow" in done.stdout, (seed, done.stdout)


def test_any_byte():
    """One changed byte in any file of the package is found."""
    keys()
    run("uet/rud/send-gtd", "srd/deliver/many-acked")
    pack("--key", "ed.pem")
    files = sorted(p for p in pathlib.Path("out").rglob("*") if p.is_file())
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    # The files of the package itself, and then any byte of any file.
    picked = [pathlib.Path("out", n) for n in sorted(NOTES)
              if n != "statement.json"]
    picked += chance.choices(files, [p.stat().st_size for p in files], k=BYTES)
    for path in picked:
        data = path.read_bytes()
        at = chance.randrange(len(data))
        path.write_bytes(data[:at] +
                         bytes([data[at] ^ chance.randrange(1, 256)]) +
                         data[at + 1:])
        done = verify("-q")
        assert done.returncode in (2, 5), (seed, path, at, done)
        path.write_bytes(data)
    expect(verify("-q"), 0)


def test_files_that_come_and_go():
    run(ONE)
    pack()
    pathlib.Path("out/more").write_text("x")
    expect(verify(), 5, "ADDED          more")
    pathlib.Path("out/more").unlink()
    os.symlink("/etc/passwd", "out/link")
    expect(verify(), 5, "ADDED          link")
    expect(rung("pack", "out"), 2, err="out/link is no regular file")
    pathlib.Path("out/link").unlink()
    pathlib.Path("out/pack.json").unlink()
    expect(verify(), 5, "MISSING        pack.json")
    pack()
    shutil.rmtree(f"out/cases/{ONE}")
    expect(verify(), 5, "MISSING")
    expect(rung("pack", "out"), 2, err="the run is incomplete")
    expect(rung("pack", "none"), 2)
    expect(rung("pack"), 2, err="a folder is missing")
    expect(rung("run", "--dut", "virtual", "-q", "--out", "bare", ONE), 0)
    expect(rung("pack", "bare"), 2, err="has no transcript")


def test_a_bad_key_leaves_the_folder_as_it_was():
    run(ONE)
    expect(rung("pack", "out", "--key", "none"), 2, err="none: No such file")
    assert not NOTES & set(os.listdir("out")), os.listdir("out")
    expect(verify(), 0)


LIST = """item,text,requirements,cases
1,"Delivery, once",RUD-SVC-2/dst,
2,A lost ACK,,uet/rud/ack-lost*
3,Something else,,
4,Another transport,SRD-10/src,
"""


def attest(*args, code):
    write("list.csv", LIST)
    return expect(rung("attest", "--map", "list.csv", "out", *args), code)


def test_attest_links_into_the_package():
    run(SOME + "-lost*")
    pack()
    done = attest(code=3)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [r["verdict"] for r in rows] == ["pass", "pass", "unmapped",
                                            "untested"], rows
    assert rows[0]["text"] == "Delivery, once"
    for row in rows[:2]:
        files = row["evidence"].split()
        assert files, row
        for name in files:
            assert pathlib.Path(name).exists(), name
    assert "no certificate" in done.stderr and "verify" in done.stderr
    attest("--csv", "f.csv", "--html", "f.html", "--base",
           "https://lab.example/p", code=3)
    text = pathlib.Path("f.html").read_text()
    links = re.findall('href="https://lab.example/p/([^"]*)"', text)
    listed = {f[0] for f in
              json.loads(pathlib.Path("out/pack.json").read_text())["files"]}
    assert links and set(links) <= listed
    digest = hashlib.sha256(pathlib.Path("out/pack.json").read_bytes())
    assert digest.hexdigest() in text
    # from the package alone, without the reports
    shutil.rmtree("bare", ignore_errors=True)
    shutil.copytree("out", "bare")
    for name in os.listdir("bare"):
        if name not in ("run.json", "cases"):
            os.unlink(f"bare/{name}")
    again = expect(rung("attest", "--map", "list.csv", "--base", "out",
                        "bare"), 3)
    assert again.stdout == done.stdout


def test_attest_refuses():
    run(ONE)
    pack()
    expect(rung("attest", "out"), 2, err="--map FILE is missing")
    expect(rung("attest", "--map", "none", "out"), 2, err="none: No such")
    expect(rung("attest", "--map", "x"), 2)
    expect(rung("attest", "--map", write("m.csv", "a\n"), "out"), 2,
           err="no column is called")
    path = pathlib.Path(f"out/cases/{ONE}/capture.pcapng")
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(data)
    attest(code=5)


def test_attest_names_what_fails():
    mine = write("mine.lad", """title   A wrong expectation
covers  RUD-SVC-2
needs   rud send
chair target
  use open
  base fwd=100
  >  rud_req psn=100 clear_psn=99 ar | std send message_id=7 som eom | data 32
  <  ack ack_psn=100 cack_psn=99 | response message_id=7  [RUD-SVC-3]
  use close
""")
    run(mine, ONE, code=1)
    doc = json.loads(pathlib.Path("out/results.json").read_text())
    found = next(f for c in doc["cases"] for f in c["findings"])
    write("list.csv", f"requirements\n{found['requirement']}/{found['role']}\n"
          "RUD-SVC-2/dst\n")
    done = expect(rung("attest", "--map", "list.csv", "out"), 1)
    row = next(csv.DictReader(io.StringIO(done.stdout)))
    assert row["verdict"] == "fail", row
    assert row["evidence"] == "out/cases/mine@target/capture.pcapng", row


def test_evidence_excuses_nothing():
    base = ("run", "--dut", "virtual", "-q", "--evidence")
    write("base.txt", "")
    write("dev.decl", 'name x\nclaims rud send\n'
          'deviates UET-ACK-03 ack.retx=0 "ticket 17"\n')
    expect(rung(*base), 2, err="--evidence needs --out")
    for more, why in [
            ([ONE], "a selector"), (["--exclude", ONE], "a filter of cases"),
            (["--baseline", "base.txt"], "--baseline"),
            (["--repeat", "2"], "--repeat"), (["--until-fail"], "--repeat"),
            (["--step-over"], "--step-over"), (["--fail-fast"], "--fail-fast"),
            (["--without", "stats"], "--without"),
            (["--failed-first=x"], "--failed-first"),
            (["--budget", "9m"], "--budget"),
            (["--cases", "."], "cases of your own")]:
        expect(rung(*base, "--out", "o", *more), 2,
               err=f"--evidence and {why} exclude each other")
    expect(rung(*base, "--out", "o", "--decl", "dev.decl"), 2,
           err="the declaration excuses deviations")


def test_evidence_of_all_cases():
    if FEW:
        return
    expect(rung("run", "--dut", "virtual", "-q", "--evidence", "--shard",
                "1/60", "--out", "s1"), 0)
    expect(rung("pack", "s1"), 2, err="it is one shard of a run")
    expect(rung("run", "--dut", "virtual", "-q", "--evidence", "--out", "out"),
           0)
    expect(rung("pack", "out"), 0, "Evidence for a self-attestation")
    said = json.loads(pathlib.Path("out/pack.json").read_text())
    assert said["kind"] == "evidence" and "no certificate" in said["says"]


def test_false_evidence():
    run(SOME)
    path = pathlib.Path("out/run.json")
    path.write_text(path.read_text().replace('"evidence": false',
                                             '"evidence": true'))
    expect(rung("pack", "out"), 2, err="out is no evidence: the run has")


main(globals())
