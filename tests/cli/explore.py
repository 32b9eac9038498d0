#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tests the findings and files of rung explore, and that a seed repeats
them."""
import json
import os
import pathlib
import re
import subprocess
import sys

from formats import ROOT, schema_of, validate
from lib import RUNG, expect, main, rung, write

MUTANT = "cack-ahead"


def built(mutant=MUTANT):
    """Only the release preset builds mutants."""
    return (pathlib.Path(RUNG).parents[1] / f"mutants/{mutant}.so").exists()


def summary(out):
    """Returns the output without times."""
    return re.sub(r"[\d.]+ s|\([\d]+ a second\)", "", out)


def test_reference_has_no_finding():
    out = expect(rung("explore", "--runs", "400"), 0).stdout
    assert " 0 findings" in out and "discarded" not in out, out


def test_every_move_of_rod_is_sent_in_order():
    """A message that a move posts without the mode goes to a RUD PDC."""
    out = expect(rung("explore", "--strength", "2", "--only", "rod",
                      "--chair", "initiator", "--strict"), 0).stdout
    assert " 0 findings" in out and " 0 not applicable" in out, out


def test_a_receiver_that_goes_back_is_not_asked_to_keep_packets():
    out = expect(rung("explore", "--variant", "wqe-receiver-goes-back",
                      "--strength", "2", "--only", "wqe", "--strict"), 0).stdout
    assert " 0 findings" in out and "discarded" not in out, out


def test_return_packets_have_no_hole_on_another_pdc():
    """The tester counts its return packets over all PDCs of the device."""
    if not built():
        return
    expect(rung("explore", "--variant", "pdc-per-message", "--only", "rud",
                "--chair", "initiator", "--seed", "4", "--runs", "3000",
                "--strict"), 0, out=" 0 findings")


def test_legal_differences_are_sorted():
    out = expect(rung("explore", "--variant", "ack-cc-aligned", "--only", "rud",
                      "--chair", "target", "--runs", "60"), 0).stdout
    assert "sequences passed, and the device did not do what" in out, out
    assert re.search(r"allowed: .*\n(?: +\S.*\n)* +ack\.type +\d+ +"
                     r"sequence \d+: ack_cc, reference ack  \[\S+\]", out), out


def test_answers_may_overtake_one_another():
    """A request without ar is answered by a later ACK, whose own answer may be
    sooner than that of the request."""
    if not built():
        return
    for name in ("answers-delayed", "answers-overtake"):
        out = expect(rung("explore", "--variant", name, "--only", "rud,rod",
                          "--chair", "target", "--strict", "--runs", "2500"),
                     0).stdout
        assert " 0 findings" in out, out


def test_the_same_seed_repeats():
    one = expect(rung("explore", "--runs", "150", "--seed", "5"), 0).stdout
    two = expect(rung("explore", "--runs", "150", "--seed", "5"), 0).stdout
    assert summary(one) == summary(two), (one, two)
    other = expect(rung("explore", "--runs", "150", "--seed", "6"), 0).stdout
    assert summary(one) != summary(other), one


def test_folder_of_findings():
    expect(rung("explore", "--runs", "1", "--out", "a/b"), 0)
    assert pathlib.Path("a/b").is_dir()
    pathlib.Path("file").write_text("")
    done = expect(rung("explore", "--runs", "1", "--out", "file"), 5,
                  err="file: Not a directory")
    assert not done.stdout, done.stdout


def only(ending):
    """The file of the one finding, in whatever role the device was."""
    files = list(pathlib.Path("found").glob(f"UET-ACK-26-*.{ending}"))
    assert len(files) == 1, files
    return files[0]


def test_mutant_is_found_and_reduced():
    if not built():
        return
    out = expect(rung("explore", "--mutant", MUTANT, "--only", "rud", "--seed", "2",
                      "--runs", "3000", "--first", "--out", "found"), 1).stdout
    assert "FAIL UET-ACK-26/" in out, out
    case = only("lad")
    text = case.read_text()
    assert "covers   UET-ACK-26\n" in text, text
    assert not re.search(r"title .*\[\d+\]", text), text
    assert text.count("\n  >") <= 4, text
    assert "use close" not in text, text
    assert re.search(r"^  # The ", text, re.M), text
    runs = re.search(r"reduced to \d+ rungs in (\d+) runs", out)
    assert int(runs[1]) < 60, out
    expect(rung("run", "--dut", "virtual", "-q", str(case)), 0)
    expect(rung("run", "--dut", "virtual", "--mutant", MUTANT, "-q",
                str(case)), 1, out="UET-ACK-26/")


def copied(out):
    """Runs the command that a finding prints, as a shell reads it."""
    line = re.search(r"^     rung (replay .*)$", out, re.M)[1]
    return subprocess.run(f"{RUNG} {line}", shell=True, capture_output=True,
                          text=True, check=False), line


def test_a_finding_prints_what_repeats_it():
    if not built():
        return
    for more, end in (([], ""), (["--strict", "--seed", "2"],
                                 " --strict --seed 2")):
        out = expect(rung("explore", "--mutant", MUTANT, "--only", "rud",
                          "--chair", "target", "--first", "--out", "my finds",
                          *more), 1).stdout
        done, line = copied(out)
        assert line.endswith(f".lad' --mutant {MUTANT}{end}"), line
        row = re.search(r"^FAIL (\S+):", out, re.M)[1]
        assert done.returncode == 1 and f"FAIL {row}: " in done.stdout, done
    out = expect(rung("explore", "--mutant", MUTANT, "--only", "rud", "--chair",
                      "target", "--first"), 1).stdout
    assert "rung replay" not in out, out


def test_a_boundary_value_is_the_title():
    if not built("clear-psn-offset-sign"):
        return
    rung("explore", "--boundary", "--mutant", "clear-psn-offset-sign", "--only",
         "rud", "--out", "found")
    text = pathlib.Path("found/UET-ENC-37-dst.lad").read_text()
    assert re.search(r"^title    A boundary value: \w", text, re.M), text


def test_a_finding_names_the_line_of_its_file():
    if not built("amo-sum-of-bits"):
        return
    out = rung("explore", "--mutant", "amo-sum-of-bits", "--only", "rud", "--chair",
               "target", "--runs", "600", "--out", "found").stdout
    found = re.findall(r"^FAIL ([\w-]+)/(\w+): .*\bline (\d+)\b", out, re.M)
    assert found, out
    for row, role, number in found:
        text = pathlib.Path(f"found/{row}-{role}.lad").read_text()
        line = text.split("\n")[int(number) - 1]
        assert re.match(r" +(<|never|received|delivered|completed|responded)",
                        line), (number, text)


def test_rules_that_the_tester_breaks_on_any_device():
    """A device other than the reference loses no sequence by them."""
    if not built():
        return
    out = rung("explore", "--mutant", "srd-icrc-anyway", "--only", "rod",
               "--runs", "200").stdout
    assert " 0 findings" in out and "inconclusive: 0" in out, out


def test_unreached_names_the_explored_families():
    out = expect(rung("explore", "--only", "srd", "--runs", "5",
                      "--unreached"), 0).stdout
    listed = re.findall(r"^  ([A-Z]+)-?\d?\S* ", out, re.M)
    assert listed and {"UET", "WQE", "RUD"}.isdisjoint(listed), out


def test_transitions_that_no_sequence_reached():
    out = expect(rung("explore", "--only", "rud,uud", "--runs", "200",
                      "--unreached"), 0).stdout
    for subject in ("rud", "uud"):
        for chair in ("target", "initiator"):
            part = re.search(rf"^{subject} +{chair} +(\d+) of (\d+) possible "
                             r"transitions\n((?:  never: .*\n)*)", out, re.M)
            reached, possible = int(part[1]), int(part[2])
            never = part[3].splitlines()
            assert reached and reached + len(never) == possible, part[0]
            assert len(set(never)) == len(never)
    assert re.search(r"^  never: busy: device nack \w+ open -> hole$", out,
                     re.M), out


def test_a_live_device_has_the_same_transitions():
    """The states of a context come from the packets of the link."""
    def reached(dut):
        # a busy machine may make the runs inconclusive
        out = rung("explore", "--dut", dut, "-j", "1", "--only", "uud",
                   "--runs", "3", "--seed", "1").stdout
        return re.findall(r".* (\d+ of \d+ possible transitions)", out)

    assert reached("ref") and reached("ref") == reached("virtual")


def test_every_boundary_value_is_tried():
    out = expect(rung("explore", "--boundary", "--strict"), 0).stdout
    assert " 0 findings" in out and "discarded" not in out, out
    # a sequence for each value, and a second if the tester breaks a rule
    assert int(re.search(r"^(\d+) sequences", out, re.M)[1]) < 1500, out
    classes = re.findall(r"^(\w+) +(target|initiator) +([^:]+): (\d+) of (\d+) "
                         r"values tried, (\d+) not applicable, (\d+) left out$",
                         out, re.M)
    assert all(tried == n and n != "0" for _, _, _, tried, n, _, _ in classes), \
        classes
    names = {(subject, chair, name): int(n)
             for subject, chair, name, _, n, _, _ in classes}
    for subject in ("rud", "rod"):
        for name in ("open request", "answered request", "refused request",
                     "close"):
            assert names[subject, "initiator", f"NACK of a{'n' * (name[0] in 'oa')} "
                         f"{name}"] == 28
        assert names[subject, "initiator", "NACK while a PDC opens"] == 28
        assert names[subject, "initiator", "mpr"] == 6
        assert names[subject, "initiator", "SACK base"] == 11
        assert names[subject, "target", "clear_psn_offset"] == 14
        # 12 bytes of PDS, 44 of SES
        assert names[subject, "target", "request cut to"] == 55
        assert names[subject, "target", "spdcid of a SYN"] == 6
    for subject in ("rud", "rod", "srd", "wqe", "roce"):
        assert names[subject, "target", "first PSN"] == 6
        assert names[subject, "target", "reserved bit of a request"] >= 4
    out = expect(rung("explore", "--boundary", "--only", "rud", "--chair",
                      "initiator", "--runs", "8", "--unreached"), 0).stdout
    assert "mpr: 2 of 6 values tried, 0 not applicable, 4 left out" in out, out
    assert "\n  never: 255\n" in out, out


def test_boundary_values_need_no_setting():
    """A device that cannot be configured gets them in the simplest opening."""
    peer = ROOT / "tests/peer"
    decl = (peer / "peer.decl").read_text()
    assert " new_start_psn\n" in decl
    write("fixed.decl", decl.replace(" new_start_psn\n", "\n"))
    out = rung("explore", "--boundary", "--only", "rud", "--chair",
               "initiator", "--runs", "12", "--unreached", "--decl",
               "fixed.decl", "--dut", f"exec:{sys.executable} -B "
               f"{peer / 'peer.py'} --udp {{dut}}").stdout
    first, mpr = re.search(r"first PSN: (.*?)\nrud .*? mpr: (.*?)\nrud ", out,
                           re.S).groups()
    assert first.count("cannot be configured (start_psn=") == 6, out
    # a busy machine may make some inconclusive
    assert "cannot be configured" not in mpr, out


def test_what_was_reached_as_json():
    out = expect(rung("explore", "--boundary", "--only", "srd,uud", "--chair",
                      "target", "--runs", "60", "--json", "said.json"),
                 0).stdout
    said = json.loads(pathlib.Path("said.json").read_text())
    validate(schema_of("explore"), said)
    assert said["sequences"] == 60 and said["findings"] == 0, said
    for part in said["transitions"]:
        assert part["reached"] + len(part["never"]) == part["possible"]
    classes = {(c["chair"], c["class"]): c for c in said["boundary"]
               if c["transport"] == "srd"}
    assert classes["target", "first PSN"]["tried"] == 6, classes
    left = classes["target", "request cut to"]
    assert left["tried"] + len(left["never"]) == left["values"] == 35, left
    assert f"request cut to: {left['tried']} of 35 values tried" in out, out
    expect(rung("explore", "--all", "--draw", "--json", "x.json"), 2,
           err="not for --draw")


def test_json_that_cannot_be_written():
    for args in (["--runs", "2"], ["--all", "--only", "uud"]):
        expect(rung("explore", *args, "--json", "/dev/full"), 5, err="/dev/full")


def test_json_of_a_device_with_any_name():
    """A command may have bytes that are no UTF-8."""
    done = subprocess.run(
        [RUNG, "explore", "--only", "uud", "--runs", "1", "--json", "x.json",
         "--dut", os.fsencode(f"exec:{RUNG} serve --udp {{dut}} --control stdio")
         + b" #\xff"], capture_output=True, text=True, check=False)
    # a busy machine may make the run inconclusive
    assert done.returncode in (0, 3) and not done.stderr, done
    device = json.loads(pathlib.Path("x.json").read_text())["device"]
    assert device.startswith("exec:") and "xff" in device.lower(), device


def test_choices_are_replayed():
    if not built():
        return
    expect(rung("explore", "--mutant", MUTANT, "--only", "rud", "--seed", "2",
                "--runs", "3000", "--first", "--out", "found"), 1)
    log = only("choices")
    assert re.match(r"# rung explore: a log of choices\n# seed 2, sequence "
                    r"\d+\n[\d,]+\n$", log.read_text()), log.read_text()
    expect(rung("replay", log, "--mutant", MUTANT), 1,
           out="# fail: ")
    expect(rung("replay", log), 0, out="# no failure")
    expect(rung("replay", only("lad"), "--mutant", MUTANT), 1,
           out="UET-ACK-26/")
    expect(rung("replay", only("lad"), "-q"), 0)


def test_a_wrong_log_of_choices():
    pathlib.Path("bad.choices").write_text("1,2,3\n")
    expect(rung("replay", "bad.choices"), 2,
           err="rung replay: bad.choices is not a log of choices")
    expect(rung("explore", "--choices", "bad.choices"), 2,
           err="rung explore: bad.choices is not a log of choices")
    head = "# rung explore: a log of choices\n"
    for text, why in (("0,1", "truncated"), ("0,1\n2\n", "one line"),
                      ("0,x\n", "numbers below"), ("", "truncated"),
                      ("# seed 1, sequence 2\n", "truncated"),
                      ("# seed 1", "truncated"), ("0\n# seed 1\n", "one line")):
        pathlib.Path("bad.choices").write_text(head + text)
        expect(rung("replay", "bad.choices"), 2, err=why)


def write_choices():
    """The simplest sequence, which is one of RUD."""
    write("one.choices", "# rung explore: a log of choices\n0\n")


def test_a_log_of_choices_says_where_it_is_from():
    """A file of an earlier version has no such line."""
    write_choices()
    old = expect(rung("replay", "one.choices"), 0).stdout
    write("said.choices", "# rung explore: a log of choices\n"
          "# seed 7, sequence 12\n0\n")
    assert expect(rung("replay", "said.choices"), 0).stdout == old, old
    pathlib.Path("dies.py").write_text(DIES)
    rung("explore", "--dut", f"exec:python3 dies.py send {RUNG} serve "
         "--udp {dut} --control stdio", "--only", "uud", "--chair",
         "initiator", "--first", "--seed", "3", "--out", "found")
    log = pathlib.Path("found/gone-1.choices").read_text().split("\n")
    assert re.fullmatch(r"# seed 3, sequence \d+", log[1]), log


def test_the_exit_code_of_a_log_of_choices():
    write_choices()
    expect(rung("replay", "one.choices"), 0, out="# no failure",
           err="names no device")
    write("none.decl", "name x\nclaims srd\n")
    expect(rung("replay", "one.choices", "--decl", "none.decl"), 4,
           out="# not applicable: ")


def test_options_that_would_do_nothing():
    write_choices()
    for option in (["--all"], ["--boundary"], ["--strength", "2"],
                   ["--out", "x"]):
        expect(rung("explore", "--choices", "one.choices", *option), 2,
               err="--choices runs one sequence")
    expect(rung("explore", "--all", "--runs", "3"), 2, err="--draw alone")
    expect(rung("explore", "--all", "--out", "x"), 2, err="no --out")
    expect(rung("explore", "--all", "--only", "roce"), 4,
           err="no schedules of roce")


def test_every_pair_is_run_or_said_to_be_left_out():
    out = expect(rung("explore", "--strength", "2", "--only", "uud,srd"),
                 0).stdout
    lines = re.findall(r"^(uud|srd) .*: (\d+) of (\d+) pairs run, (\d+) not "
                       r"applicable, (\d+) left out$", out, re.M)
    # of openings and moves, and of their values, in each of the two chairs
    assert len(lines) == 8, out
    assert all(int(run) + int(na) == int(n) and left == "0"
               for _, run, n, na, left in lines), out
    out = expect(rung("explore", "--strength", "3", "--only", "srd", "--chair",
                      "target", "--runs", "2", "--unreached"), 0).stdout
    left = [int(n) for n in re.findall(r"(\d+) left out", out)]
    listed = re.findall(r"^  srd target: \S", out, re.M)
    assert len(left) == 2 and min(left) > 1000, left
    assert len(listed) == sum(left), (left, len(listed))
    order = r"Sends arrive in any order, [\w ]+"
    assert re.search(rf"^  srd target: default: srd_coalesce=4; {order}: draw 1 = 0; "
                     rf"{order}: draw 2 = 1$", out, re.M), out[-900:]
    expect(rung("explore", "--strength", "4"), 2)
    expect(rung("explore", "--strength", "3", "--across"), 2,
           err="goes with --strength 2")


def moves_with(name, line, *without):
    """How many moves of a file have a line, and none of the words."""
    text = (ROOT / f"suite/explore/script/{name}.moves").read_text()
    found = 0
    for block in re.split(r"^(?=move|part|list)", text, flags=re.M):
        words = block.partition("\n")[0].split()
        if words[:1] == ["move"] and not set(words) & set(without):
            found += bool(re.search(line, block, re.M))
    return found


def test_a_move_that_another_one_replaces_is_not_run():
    """With one first PSN for every PDC, no move opens one more: another move
    takes its place, and these pairs do not exist.  Each end of a sequence
    takes as many pairs from the others as there are moves."""
    for mode, other in (("rud", "rod"), ("rod", "rud")):
        out = expect(rung("explore", "--strength", "2", "--only", mode,
                          "--chair", "initiator"), 0).stdout
        moves, run, pairs = map(int, re.search(
            r"openings, (\d+) moves: (\d+) of (\d+) pairs run", out).groups())
        none = moves_with("uet_initiator_first", "^setting +start_psn=",
                          other, "over", "bare") * \
            moves_with("uet_initiator", " syn pdc=w", other)
        assert none and run == pairs and -pairs % moves == none, (none, out)


def test_pairs_of_values_of_two_moves():
    args = ("explore", "--strength", "2", "--across", "--only", "srd",
            "--unreached")
    out = expect(rung(*args), 0).stdout
    lines = re.findall(r"^srd .* values of two moves: (\d+) of (\d+) pairs run, "
                       r"(\d+) not applicable, 0 left out$", out, re.M)
    assert len(lines) == 2, out
    assert all(int(run) + int(na) == int(n) and int(n) > 1000
               for run, n, na in lines), out
    out = expect(rung(*args, "--chair", "target", "--runs", "100"), 0).stdout
    left = [int(n) for n in re.findall(r"(\d+) left out", out)]
    assert len(left) == 3 and left[2] > 1000, left
    listed = re.findall(r"^  srd target: \S", out, re.M)
    assert len(listed) == sum(left), (left, len(listed))


def test_transports_share_the_sequences_of_tuples():
    """The first one has more triples than all sequences are enough for."""
    out = expect(rung("explore", "--strength", "3", "--only", "rod,uud",
                      "--chair", "target", "--runs", "41"), 0).stdout
    run = dict(re.findall(r"^(rod|uud) .* moves: (\d+) of \d+ triples", out,
                          re.M))
    assert int(run["rod"]) and int(run["uud"]), out
    assert re.search(r"^41 sequences", out, re.M), out


def test_the_greatest_numbers():
    most = 2**64 - 1
    out = expect(rung("explore", "--boundary", "--only", "uud,srd", "--runs",
                      most), 0).stdout
    assert set(re.findall(r"(\d+) left out", out)) == {"0"}, out
    expect(rung("explore", "--runs", most, "--budget", "50ms"), 0)
    expect(rung("explore", "--budget", "292y"), 2)
    for option, text in (("--runs", most + 1), ("--seed", most + 1),
                         ("-j", 2**32 + 1), ("--budget", f"{most}s")):
        expect(rung("explore", option, text), 2)
    for option, text in (("--requests", 2**32 + 1), ("--faults", 2**32),
                         ("--shard", f"{2**32 + 1}/3"),
                         ("--shard", f"1/{2**32 + 3}"), ("--shard", "-1/3")):
        expect(rung("explore", "--all", option, text), 2)


def test_a_finding_names_its_moves():
    if not built():
        return
    out = expect(rung("explore", "--mutant", MUTANT, "--strength", "2",
                      "--only", "rud", "--first"), 1).stdout
    assert re.search(r"^     induced by: \w", out, re.M), out


def test_why_names_the_packet_that_decides():
    if not built():
        return
    expect(rung("run", "--dut", "virtual", "--mutant", MUTANT, "-q", "--out",
                "kept", "uet/rud/send-gtd@target"), 1)
    case = "kept/cases/uet/rud/send-gtd@target"
    out = expect(rung("why", case, "--html", "why.html"), 0).stdout
    assert re.search(r"^#\d+ decides it: .* From #\d+ on it is inevitable\.$", out,
                     re.M), out
    assert "silence after it: same" in " ".join(out.split()) or \
        "escapes" in out, out
    page = pathlib.Path("why.html").read_text()
    assert "<svg" in page and "decides it" in page, page[:400]
    expect(rung("why", "nowhere"), 2)
    expect(rung("why"), 2, err="one folder")


# A case that fails on every device: it awaits the ACK of another PSN.
WRONG = """# SPDX-License-Identifier: BSD-2-Clause
title    An answer that no device gives
covers   PDS-SVC-2
needs    rud send

chair target
  > rud_req syn ar psn=$start | std send message_id=0xff01 som eom | data 8
  < ack ack_psn=$start+7 spdcid=$b dpdcid=$a | response  [PDS-SVC-2]
"""


def keep_wrong(dut="virtual", *args):
    """Runs that case, and returns the folder of its result."""
    write("wrong.lad", WRONG)
    expect(rung("run", "--dut", dut, *args, "-q", "--out", "kept",
                "wrong.lad"), 1)
    return "kept/cases/wrong@target"


def test_a_device_of_two_parts_is_repeated():
    """A port and a command, in any order, and a command of many words."""
    net = f"127.{100 + os.getpid() % 50}.{os.getpid() // 50 % 250}."
    parts = (f"udp:{net}1,peer={net}2",
             f"exec:{RUNG} serve --udp {net}2 --control stdio # {'x' * 300}")
    write("wrong.lad", WRONG)
    for i in range(2):
        out = expect(rung("run", "--dut", parts[i], "--dut", parts[1 - i], "-q",
                          "--out", f"kept{i}", "wrong.lad"), 1).stdout
        case = f"kept{i}/cases/wrong@target"
        said = json.loads(pathlib.Path(case, "replay.json").read_text())
        assert said["dut"] == " ".join(parts), said
        expect(rung("replay", case, "-q"), 1)
        expect(rung("why", case), 0)
        again = re.search(r"^ +rung run --dut (?:.*\\\n)*.*$", out, re.M)[0]
        done = subprocess.run(again.replace("rung", RUNG, 1), shell=True,
                              capture_output=True, text=True, check=False)
        assert done.returncode == 1 and "1 fail" in done.stdout, (again, done)
    expect(rung("run", "--dut", "exec:" + "x" * 5000, "wrong.lad"), 2)


def test_why_with_another_device():
    """Options of the device replace what the folder says."""
    case = keep_wrong("exec:echo started >> seen; exec "
                      f"{RUNG} serve --udp {{dut}} --control stdio")
    seen = pathlib.Path("seen")
    seen.unlink()
    expect(rung("why", case), 0, out="decides it")
    assert seen.read_text() == "started\n"
    seen.unlink()
    for dut in ("virtual", "ref"):
        expect(rung("why", case, "--dut", dut), 0, out="decides it")
    assert not seen.exists()
    expect(rung("why", case, "--dut", "exec:echo other >> seen; exec "
                f"{RUNG} serve --udp {{dut}} --control stdio"), 0)
    assert seen.read_text() == "other\n"
    write("none.decl", "name x\nclaims srd\n")
    expect(rung("why", case, "--dut", "virtual", "--decl", "none.decl"), 4,
           err="is na now")
    expect(rung("why", case, "--mutant", MUTANT), 2,
           err="--mutant is for --dut ref and virtual")
    expect(rung("why", case, "--dut", "virtual", "--control", "unix:x"), 2,
           err="--control is for other devices")
    expect(rung("why", case, "--dut", "nothing"), 2, err="--dut nothing")


def test_the_mutant_of_the_folder_is_kept_for_the_reference():
    if not built():
        return
    expect(rung("run", "--dut", "ref", "--mutant", MUTANT, "-q", "--out",
                "kept", "uet/rud/send-gtd@target"), 1)
    case = "kept/cases/uet/rud/send-gtd@target"
    for more in ([], ["--dut", "virtual"]):
        expect(rung("why", case, *more), 0, out="decides it")
        expect(rung("replay", case, *more), 1)
    other = f"exec:{RUNG} serve --udp {{dut}} --control stdio"
    for more in (["--variant", "ack-cc-aligned"], ["--dut", other]):
        expect(rung("why", case, *more), 4, err="is pass now")
        expect(rung("replay", case, *more), 0)
    expect(rung("replay", case, f"--dut={other}"), 0)


def test_why_gives_up_privileges():
    """The program that it starts reads the flags of the process of rung."""
    case = keep_wrong("exec:sed -n s/^NoNewPrivs:.//p /proc/$PPID/status "
                      f">> seen; exec {RUNG} serve --udp {{dut}} --control stdio")
    pathlib.Path("seen").unlink()
    expect(rung("why", case), 0)
    seen = set(pathlib.Path("seen").read_text().split())
    assert seen == {"1"}, seen


def test_every_schedule_in_a_small_scope():
    done = expect(rung("explore", "--all", "--requests", "1"), 0)
    lines = done.stdout.splitlines()
    assert [l.split()[0] for l in lines] == [
        "rud", "rod", "rudi", "uud", "srd", "wqe"], lines
    assert all(" 0 wrong" in l for l in lines), lines
    out = expect(rung("explore", "--all", "--requests", "1", "--only", "srd",
                      "--unreached"), 0).stdout
    wire, control = out.split("requirements of srd that no schedule "
                              "exercised, seen ")[1:]
    assert wire.startswith("on the wire:\n") and "  SRD-52 " in wire, out
    assert control.startswith("with the control channel:\n"), out
    assert "  SRD-08 " in control and "  SRD-09 " not in out, out
    out = expect(rung("explore", "--all", "--only", "rud", "--unreached"),
                 0).stdout
    assert "  UET-NACK-06 " in out and "  UET-NACK-02 " not in out, out
    if built():
        expect(rung("explore", "--all", "--only", "rud", "--mutant", MUTANT), 1,
               out="FAIL rud: UET-ACK-26/dst")


def add(*files):
    return subprocess.run([sys.executable, ROOT / "tools/add_schedules.py",
                           *files], capture_output=True, text=True, check=False)


def test_shards_of_schedules_add_up():
    def run(name, *args):
        expect(rung("explore", "--all", "--only", "rud,rudi,srd", "--json",
                    name, *args), 0)
        said = json.loads(pathlib.Path(name).read_text())
        validate(schema_of("schedules"), said)
        return said["transports"]

    whole = run("whole.json")
    shards = [run(f"{i}.json", "--shard", f"{i}/5") for i in range(1, 6)]
    for k, part in enumerate(whole):
        each = [shard[k] for shard in shards]
        for key in ("series", "schedules", "known", "packets", "wrong"):
            assert sum(s[key] for s in each) == part[key], (key, part, each)
        assert part["series"] == part["of"] and part["schedules"] > 20, part
        rows = {row: [sum(s["requirements"].get(row, [0, 0])[side]
                          for s in each) for side in range(2)]
                for row in {row for s in each for row in s["requirements"]}}
        assert rows == part["requirements"], (rows, part)
    all_five = [f"{i}.json" for i in range(1, 6)]
    done = expect(add(*all_five), 0)
    assert done.stdout == expect(add("whole.json"), 0).stdout, done.stdout
    assert "; 81 of 81 series\n" in done.stdout, done.stdout
    expect(add(*all_five[1:4]), 3, out="missing shards: 1 5\n")
    expect(add("1.json", "1.json"), 2, err="given already")
    expect(add("1.json", "whole.json"), 2, err="of another run")
    run("early.json", "--budget", "1ms")
    expect(add("early.json"), 3, out="shards that did not end: 1\n")
    expect(rung("explore", "--shard", "1/2"), 2, err="goes with --all")
    expect(rung("explore", "--all", "--draw", "--shard", "1/2"), 2,
           err="without --draw")


def test_schedules_share_packets():
    args = ("explore", "--all", "--only", "rud,rod", "--requests", "1",
            "--faults", "2", "--json")
    expect(rung(*args, "shared.json"), 0)
    expect(rung(*args, "anew.json", "--anew"), 0)
    shared, anew = (pathlib.Path(name).read_text()
                    for name in ("shared.json", "anew.json"))
    assert shared == anew, (shared, anew)
    expect(rung("explore", "--anew"), 2, err="goes with --all")


def test_a_wrong_schedule_counts_once():
    if not built():
        return
    args = ("explore", "--all", "--only", "rud", "--requests", "1", "--faults",
            "1", "--mutant", MUTANT, "--json")
    expect(rung(*args, "whole.json"), 1)
    for i in "123":
        rung(*args, f"{i}.json", "--shard", f"{i}/3")
    done = expect(add("1.json", "2.json", "3.json"), 1, out="UET-ACK-26/dst")
    whole = expect(add("whole.json"), 1).stdout
    assert done.stdout.splitlines()[-1] == whole.splitlines()[-1], whole


def test_ids_use_their_highest_bits():
    if built():
        expect(rung("explore", "--mutant", "later-initiator-zero", "--first",
                    "--only", "rud", "--chair", "initiator", "--runs",
                    "100"), 1, out="UET-SES-35/src")


def test_drawn_schedules():
    def draw(*args):
        done = rung("explore", "--all", "--draw", "--requests", "8", "--faults",
                    "6", *args)
        return done.returncode, re.sub(r"\(\d+ a second\)", "", done.stdout)

    code, out = draw("--runs", "30")
    lines = out.splitlines()
    assert code == 0 and len(lines) == 6, out
    assert all(" 30 schedules, " in l and " 0 wrong" in l for l in lines), out
    assert draw("--runs", "30") == (code, out)
    assert draw("--runs", "30", "--seed", "2")[1] != out
    code, out = draw("--budget", "60ms")
    assert code == 0 and len(out.splitlines()) == 6, out
    expect(rung("explore", "--draw"), 2, err="goes with --all")
    write("none.decl", "name x\nclaims send\n")
    expect(rung("explore", "--decl", "none.decl"), 2,
           err="the declaration claims none of rud, rod, rudi,")
    expect(rung("explore", "--only", "tcp"), 2, err="commas, not 'tcp'")
    expect(rung("explore", "--all", "--dut", "ref"), 2,
           err="--all runs two references in virtual time: it takes no --dut")
    if built():
        code, out = draw("--only", "rud", "--mutant", MUTANT, "--first")
        # ACK_CC shows the same in the base of its bitmap
        assert code == 1 and \
            re.search("FAIL rud: UET-ACK-(06|26)/dst", out), out
        assert len(out.splitlines()) < 20, out


def test_families_do_not_share_an_address():
    """A process for each transport: their packets stay apart."""
    out = rung("explore", "--dut", "ref", "--runs", "4", "--seed", "1",
               "--first").stdout
    assert "FAIL" not in out and "4 sequences" in out, out


def test_several_sequences_at_a_time():
    out = rung("explore", "--dut", "ref", "-j", "4", "--only", "uud,srd",
               "--runs", "30", "--seed", "1").stdout
    assert out.startswith("30 sequences") and "FAIL" not in out, out


def test_findings_of_several_sequences_at_a_time():
    """Each finding has the log of its own sequence, and is told once."""
    if not built():
        return
    out = rung("explore", "--dut", "ref", "--mutant", MUTANT, "-j", "4",
               "--only", "rud", "--chair", "target", "--runs", "30", "--seed",
               "1", "--out", "found").stdout
    rows = re.findall(r"FAIL (\S+):", out)
    assert rows and len(rows) == len(set(rows)), out
    assert re.search(r"^30 sequences,", out, re.M), out
    for row in rows:
        log = f"found/{row.replace('/', '-')}.choices"
        expect(rung("replay", log, "--mutant", MUTANT), 1, out="# fail: ")
        expect(rung("replay", log), 0, out="# no failure")


# Relays the control channel to the reference, and ends with it at a verb.
DIES = """
import json, subprocess, sys
with subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE) as nic:
    for line in sys.stdin.buffer:
        if json.loads(line).get("verb") == sys.argv[1]:
            nic.kill()
            sys.exit(3)
        nic.stdin.write(line)
        nic.stdin.flush()
"""


def test_device_that_ends():
    pathlib.Path("dies.py").write_text(DIES)
    done = rung("explore", "--dut", f"exec:python3 dies.py send {RUNG} serve "
                "--udp {dut} --control stdio", "--only", "uud", "--chair",
                "initiator", "--first", "--out", "found", "--revive",
                "echo again >> revived")
    expect(done, 1, out="FAIL device gone: the control channel closed")
    assert "discarded" not in done.stdout, done.stdout
    case = pathlib.Path("found/gone-1.lad").read_text()
    assert "  post send" in case and case.count("post") == 1, case
    assert pathlib.Path("found/gone-1.choices").exists()
    bundle = pathlib.Path("found/cases/gone-1@initiator")
    assert (bundle / "capture.pcapng").exists(), list(bundle.parent.iterdir())
    assert pathlib.Path("revived").read_text().count("again") >= 2
    again, line = copied(done.stdout)
    assert f"lad --dut 'exec:python3 dies.py send {RUNG} serve" in line, line
    expect(again, None, out="the control channel closed")
    expect(rung("run", "--dut", "virtual", "-q", "found/gone-1.lad"), 0)


def test_each_of_several_devices_ends():
    """Each device ends at each send: a finding and its folder, once."""
    pathlib.Path("dies.py").write_text(DIES)
    done = rung("explore", "--dut", f"exec:python3 dies.py send {RUNG} serve "
                "--udp {dut} --control stdio", "--only", "uud", "--chair",
                "initiator", "--first", "-j", "3", "--out", "found")
    expect(done, 1, out="FAIL device gone: the control channel closed")
    number = re.search(r"found/gone-(\d+).lad", done.stdout)[1]
    bundle = pathlib.Path(f"found/cases/gone-{number}@initiator")
    assert (bundle / "capture.pcapng").exists(), list(bundle.parent.iterdir())
    case = pathlib.Path(f"found/gone-{number}.lad").read_text()
    assert case.count("post") == 1, case


# The same, once: it does not start again.
DIES_FOR_GOOD = """
import pathlib, sys
if pathlib.Path("dead").exists():
    sys.exit(7)
pathlib.Path("dead").touch()
""" + DIES


def test_a_finding_is_told_if_no_device_is_left():
    pathlib.Path("dies.py").write_text(DIES_FOR_GOOD)
    done = rung("explore", "--dut", f"exec:python3 dies.py send {RUNG} serve "
                "--udp {dut} --control stdio", "--only", "uud", "--chair",
                "initiator", "--out", "found")
    expect(done, 5, out="FAIL device gone, once: the control channel closed",
           err="ended before hello")
    assert ": 1 finding\n" in done.stdout, done.stdout
    assert pathlib.Path("found/gone-1.lad").is_file()
    assert pathlib.Path("found/gone-1.choices").is_file()


# Every second process ends before it says anything.
LATE = """
import pathlib, sys
with open("starts", "a") as starts:
    starts.write("start ")
if pathlib.Path("starts").read_text().count("start") % 2 == 0:
    sys.exit(7)
""" + DIES


def test_a_device_that_starts_at_the_second_attempt():
    pathlib.Path("dies.py").write_text(LATE)
    done = rung("explore", "--dut", f"exec:python3 dies.py send {RUNG} serve "
                "--udp {dut} --control stdio", "--only", "uud", "--chair",
                "initiator", "--first")
    expect(done, 1, out="FAIL device gone: the control channel closed",
           err="ended before hello")


def test_a_finding_is_printed_if_its_file_cannot_be_written():
    pathlib.Path("dies.py").write_text(DIES)
    pathlib.Path("found/gone-1.lad/taken").mkdir(parents=True)
    done = rung("explore", "--dut", f"exec:python3 dies.py send {RUNG} serve "
                "--udp {dut} --control stdio", "--only", "uud", "--chair",
                "initiator", "--out", "found")
    expect(done, 5, out="FAIL device gone: the control channel closed",
           err="found/gone-1.lad")
    assert "\nchair initiator\n  post send" in done.stdout, done.stdout


# The same as DIES; its third process interrupts rung, as Ctrl-C does.
INTERRUPTS = """
import os, pathlib, signal
with open("starts", "a") as starts:
    starts.write("start ")
pid, name = os.getpid(), ""
while name != "rung":
    name, rest = pathlib.Path(f"/proc/{pid}/stat").read_text().split(") ", 1)
    name = name.split("(")[1]
    pid = pid if name == "rung" else int(rest.split()[1])
if pathlib.Path("starts").read_text().count("start") == 3:
    os.kill(pid, signal.SIGINT)
""" + DIES


def test_an_interruption_ends_a_reduction():
    """What was found is told, and no more devices are started."""
    pathlib.Path("dies.py").write_text(INTERRUPTS)
    done = rung("explore", "--dut", f"exec:python3 dies.py send {RUNG} serve "
                "--udp {dut} --control stdio", "--only", "uud", "--chair",
                "initiator", "--out", "found")
    expect(done, 130, out="FAIL device gone: the control channel closed")
    assert pathlib.Path("found/gone-1.lad").is_file()
    assert pathlib.Path("starts").read_text().count("start") <= 4, done


# A control channel that swallows one request, once.
SILENT = """
import pathlib, subprocess, sys
been = pathlib.Path("been-silent")
with subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, text=True) as serve:
    for line in sys.stdin:
        if f'"{sys.argv[1]}"' in line and not been.exists():
            been.touch()
            continue
        serve.stdin.write(line)
        serve.stdin.flush()
"""


def test_a_channel_that_is_silent_once_is_no_finding():
    pathlib.Path("silent.py").write_text(SILENT)
    for verb in ("send", "reset"):
        out = rung("explore", "--dut", f"exec:python3 silent.py {verb} {RUNG} "
                   "serve --udp {dut} --control stdio", "--only", "uud",
                   "--chair", "initiator", "--runs", "3", "--seed", "1",
                   "--out", verb).stdout
        pathlib.Path("been-silent").unlink()
        assert "1 sequence failed once" in out and "FAIL" not in out, out
        assert "the control channel did not answer" in out, out
        assert pathlib.Path(f"{verb}/cases/gone-1@initiator").exists()


# A link that loses the second datagram of the device, once.
LOSES = """
import functools, select, socket, subprocess, sys
rung, dut, tester, inner = sys.argv[1:]
lost = 2

@functools.lru_cache(None)
def port(ip, number=4793):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind((ip, number))
    return s

outside, inside = port(dut), port(inner[:-1] + "2")
with subprocess.Popen([rung, "serve", "--udp", inner, "--control", "stdio"]):
    while True:
        for s in select.select([outside, inside], [], [])[0]:
            data, (_, entropy) = s.recvfrom(16384)
            if s is outside:
                port(inner[:-1] + "2", entropy).sendto(data, (inner, 4793))
                continue
            lost -= 1
            if lost:
                port(dut, entropy).sendto(data, (tester, 4793))
"""


def test_what_fails_once_is_no_finding():
    pathlib.Path("loses.py").write_text(LOSES)
    inner = f"127.{200 + os.getpid() % 50}.{os.getpid() // 50 % 250}.1"
    out = rung("explore", "--dut", f"exec:python3 loses.py {RUNG} "
               f"{{dut}} {{tester}} {inner}", "--only", "rud", "--chair",
               "target", "--runs", "1", "--seed", "1").stdout
    assert "1 sequence failed once" in out and "FAIL" not in out, out


# The data of the read has return PSNs 503 to 505, and the write is PSN 504.
SAME_PSN = """# SPDX-License-Identifier: BSD-2-Clause
title    Read data with the PSN of a later write
covers   I2
needs    rud send control.pds read return_data multi write

chair target
  > rud_req syn ar psn=$start | std send message_id=0xff01 som eom | data 8
  < ack ack_psn=$start spdcid=$b dpdcid=$a | response  [PDS-SVC-2]
  base fwd=100 ret=500
""" + "".join(f"""  post send_cp cp=noop
  < cp noop ar psn=$q{i}  [UET-CP-00]
  > ack ack_psn=$q{i} cack_psn=$q{i}
""" for i in range(3)) + """
  > rud_req psn=100 | std read message_id=1 som request_length=2mtu+12
  > rud_req psn=101 | std read message_id=1 request_length=2mtu+12 message_offset=mtu payload_length=mtu
  > rud_req psn=102 ar | std read message_id=1 eom request_length=2mtu+12 message_offset=2mtu payload_length=12
  any {
    < ack ack_psn=102 | response message_id=1  [RUD-SEQ-81]
    < ack ack_psn=100..101 optional x 0..2  [RUD-SVC-3]
    < rud_req psn=503 | response_data read_request_message_id=1  [RUD-SEQ-81]
    < rud_req psn=504 | response_data read_request_message_id=1  [RUD-SEQ-81]
    < rud_req psn=505 | response_data read_request_message_id=1  [RUD-SEQ-81]
  }
  > ack ack_psn=505 cack_psn=505 | response default_response
  > rud_req psn=103 ar | std write message_id=2 som eom buffer_offset=$memory_offset+2mtu | bytes 9c 00 00 00 00
  < ack ack_psn=103 | response message_id=2 return_code=ok  [RUD-SVC-3]
"""


def test_read_data_does_not_answer_a_write():
    pathlib.Path("same.lad").write_text(SAME_PSN)
    expect(rung("run", "--dut", "virtual", "same.lad"), 0, out="1 pass")


def test_wrong_words():
    expect(rung("explore", "--only", "rud,tcp"), 2, err="--only takes")
    expect(rung("explore", "--chair", "middle"), 2)
    for word in ("--requests", "--faults"):
        expect(rung("explore", word, "3"), 2, err="go with --all")
    expect(rung("explore", "--all", "--strength", "2"), 2,
           err="exclude each other")
    expect(rung("explore", "--boundary", "--strength", "2"), 2,
           err="exclude each other")
    expect(rung("explore", "--dut", "udp:127.0.0.1,peer=127.0.0.1",
                "--mutant", MUTANT), 2)
    expect(rung("explore", "--dut", "udp:127.0.0.1,peer=127.0.0.1", "-j",
                "2"), 2, err="-j 1")
    expect(rung("explore", "--dut", "ref", "--revive", "true", "-j", "2"), 2,
           err="-j 1")
    expect(rung("explore", "--strength", "2", "-j", "2"), 2,
           err="-j is for sequences that are drawn")


if __name__ == "__main__":
    main(globals())
