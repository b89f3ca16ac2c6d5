"""Plots show the figures of their files, are the same bytes twice, and bad files are named with the key."""

import json
import pathlib
import subprocess
import sys

import pytest

import cairn

pytest.importorskip("matplotlib")

from cairn import plot  # noqa: E402
from cairn.plot.__main__ import main  # noqa: E402

RESULTS = pathlib.Path(__file__).parents[2] / "benchmarks/results"


def bench_row(scene, worlds, bodies, ms, **more):
    return {
        "scene": scene,
        "worlds": worlds,
        "substeps": 6,
        "dynamic_bodies": bodies,
        "queued_ms_per_step": ms,
        "body_steps_per_second": 1e3 * bodies / ms if ms else None,
        "stages": {"pair": 3.0, "match": 0.01, "solve": 1.0},
        **more,
    }


def bench_file():
    rows = [
        bench_row("pile:count=100", 1, 100, 2.0),
        bench_row("pile:count=10", 1, 10, 0.5),
        bench_row("tower:height=3", 64, 192, 0.25),
        {"scene": "pile:count=1000000", "worlds": 1, "substeps": 6, "device": "cpu", "not_run": "takes too long"},
        bench_row("runaway.json", 1, 1, None, no_figure="it broke"),
    ]
    head = {"cairn_bench": 1, "version": "0.2.0", "commit": "abc1234", "date": "2026-11-26", "description": "a CPU"}
    return {**head, "rows": rows}


def lab_row(solver, passes, limit):
    return {"challenge": "tower", "solver": solver, "passes": passes, "limit": limit, "cap": 128}


def lab_file():
    rows = [
        lab_row("soft_step", 20, 128),
        lab_row("soft_step", 10, 104),
        lab_row("avbd", 10, 0),
        lab_row("avbd", 20, 30),
    ]
    return {"version": "0.2.0", "seconds": 10.0, "seed": 1, "seeds": 1, "rows": rows}


def verdict(family, passes, stood, fell):
    of = {"family": family, "solver": "soft_step", "passes": passes, "margin": 5.0}
    return {**of, "standing": 50, "stood": stood, "falling": 50, "fell": fell}


def verdicts_file():
    rows = [verdict("arch", 12, 40, 50), verdict("cards", 12, 50, 49), verdict("arch", 24, 50, 50)]
    return {"version": "0.2.0", "seconds": 10.0, "seed": 1, "verdicts": rows}


FILES = {"bench": bench_file, "lab": lab_file, "verdicts": verdicts_file}


def written(folder, content):
    file = folder / "figures.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return file


def lines_of(axes):
    return {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in axes.get_lines()}


def test_bench_shows_time_throughput_and_shares(tmp_path):
    figure = plot.draw(plot.read(written(tmp_path, bench_file())))
    one, many, bars = figure.axes
    assert lines_of(one) == {"pile, 6 substeps": ([10, 100], [0.5, 2])}
    assert lines_of(many) == {"tower:height=3": ([64], [192e3 / 0.25])}
    assert figure.get_suptitle() == "Cairn 0.2.0, abc1234, 2026-11-26: a CPU"
    # `match` takes under 2 % and is part of the rest; a bar is 100 % long
    widths = [[patch.get_width() for patch in part] for part in bars.containers]
    assert [part.get_label() for part in bars.containers] == ["pair", "solve", "the rest"]
    assert widths[0] == pytest.approx(3 * [100 * 3 / 4.01]) and widths[2] == pytest.approx(3 * [1 / 4.01])
    assert [label.get_text() for label in bars.get_yticklabels()] == [
        "pile:count=100",
        "pile:count=10",
        "tower:height=3 x 64",
    ]


def test_the_lab_shows_limits_marks_those_at_the_cap_and_has_a_place_for_0(tmp_path):
    (axes,) = plot.draw(plot.read(written(tmp_path, lab_file()))).axes
    assert lines_of(axes) == {"soft_step": ([10, 20], [104, 128]), "avbd": ([10, 20], [0, 30])}
    assert [(note.get_text(), note.xy) for note in axes.texts] == [("≥", (20, 128))]
    low, high = axes.get_ylim()
    assert low < 0 and high > 128


def test_verdicts_are_summed_over_families(tmp_path):
    (axes,) = plot.draw(plot.read(written(tmp_path, verdicts_file()))).axes
    # 11 of 200 are wrong, then none of 100
    assert lines_of(axes) == {"soft_step": ([12, 24], [pytest.approx(5.5), 0])}
    assert axes.get_title(loc="left") == "5 % beside the limit"


def test_peers_stand_where_time_and_depth_are_medians(tmp_path):
    quality = {"middle": {"finite": True, "mean_penetration": 2e-3}, "end": {"finite": True, "fallen": 3}}
    blown_up = {"middle": {"finite": False}, "end": {"finite": False, "fallen": 0}}
    scene = {
        "bodies": 21,
        "times": {name: {"1": {"cpu_ms": [0.5, 9, 0.25]}} for name in ("cairn", "other")},
        "quality": {"1": {"cairn": quality, "other": blown_up}},
    }
    file = {"processor": "a CPU", "date": "2026-11-26", "window": [120, 240], "scenes": {"tower:height=20": scene}}
    (axes,) = plot.draw(plot.read(written(tmp_path, file))).axes
    assert lines_of(axes) == {"cairn": ([0.5], [pytest.approx(2)])}
    assert [note.get_text() for note in axes.texts] == ["3 fell"]


def test_ticks_are_around_the_values():
    from cairn.plot._draw import number, ticks

    assert ticks(24, 24) == [20, 50] and ticks(10, 20) == [5, 10, 20, 50]
    assert ticks(3, 40_000) == [1, 10, 100, 1000, 10_000, 100_000]
    assert [number(v) for v in (0.01, 1, 5000, 2e4, 1e6, 5e9)] == ["0.01", "1", "5000", "20k", "1M", "5G"]


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("ending", ["svg", "png"])
def test_the_same_figures_give_the_same_bytes(tmp_path, kind, ending):
    file = written(tmp_path, FILES[kind]())
    for name in "ab":
        plot.save(plot.draw(plot.read(file)), tmp_path / f"{name}.{ending}")
    content = (tmp_path / f"a.{ending}").read_bytes()
    assert content == (tmp_path / f"b.{ending}").read_bytes()
    assert content.startswith(b"\x89PNG" if ending == "png" else b"<?xml")
    assert b"Matplotlib" not in content and b"dc:date" not in content  # its version, and when


def without(key, of):
    return {name: value for name, value in of.items() if name != key}


BAD = {
    "no JSON": ("{", "is no JSON"),
    "another file": ({"rows": [], "cpu": "x86_64"}, "is no file of cairn bench"),
    "a list": ([], "is no file of cairn bench"),
    "no rows": ({**lab_file(), "rows": []}, "holds no figure"),
    "rows that aren't a list": ({**lab_file(), "rows": 3}, "rows: must be a list"),
    "a row without a key": (
        {**lab_file(), "rows": [without("limit", lab_row("xpbd", 10, 3))]},
        'rows[0]: lacks the key "limit"',
    ),
    "a text for a number": ({**lab_file(), "rows": [lab_row("xpbd", 10, "3")]}, "rows[0].limit: must be a number"),
    "NaN": ({**lab_file(), "rows": [lab_row("xpbd", 10, float("nan"))]}, "rows[0].limit: must be finite"),
    "no passes": ({**lab_file(), "rows": [lab_row("xpbd", 0, 3)]}, "rows[0].passes: must be over 0"),
    "a number for a text": ({**lab_file(), "rows": [lab_row(7, 10, 3)]}, "rows[0].solver: must be a text"),
    "a stage that is a text": (
        {**bench_file(), "rows": [bench_row("pile", 1, 10, 1.0, stages={"pair": "x"})]},
        "rows[0].stages.pair: must be a number",
    ),
    "more right verdicts than cases": (
        {**verdicts_file(), "verdicts": [verdict("arch", 12, 51, 50)]},
        "verdicts[0]: 101 right verdicts of 100",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_named_with_the_place(tmp_path, capsys, case):
    content, message = BAD[case]
    file = written(tmp_path, content)
    with pytest.raises(cairn.InvalidArgument) as raised:
        plot.read(file)
    assert str(raised.value).startswith(f"{file}: {message}")
    assert main([str(file)]) == 2
    assert f"{file}: {message}" in capsys.readouterr().err
    assert not file.with_suffix(".svg").exists()


def test_the_command_writes_beside_the_figures_or_where_it_is_told(tmp_path, capsys):
    file = written(tmp_path, lab_file())
    assert main([str(file)]) == 0 and (tmp_path / "figures.svg").exists()
    assert main([str(file), "-o", str(tmp_path / "other.png")]) == 0 and (tmp_path / "other.png").exists()
    assert capsys.readouterr() == ("", "")
    assert main([str(file), "-o", str(tmp_path / "plot.pdf")]) == 2
    assert main([str(file), "-o", str(tmp_path / "nowhere/plot.svg")]) == 2
    assert main([str(tmp_path / "missing.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["figures.json", "figures.svg", "other.png"]


def test_a_plot_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    file = written(tmp_path, lab_file())
    out = tmp_path / "plot.svg"
    out.write_text("as it was")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("cairn._whole_files.os.fsync", full)
    assert main([str(file), "-o", str(out)]) == 4
    assert out.read_text() == "as it was" and sorted(tmp_path.iterdir()) == [file, out]


def test_the_module_runs_as_a_program(tmp_path):
    file = written(tmp_path, verdicts_file())
    subprocess.run([sys.executable, "-m", "cairn.plot", file], check=True, capture_output=True)
    assert "wrong verdicts, %" in (tmp_path / "figures.svg").read_text()


def test_results_in_the_repository_are_drawn():
    """All that a line of scripts/plots.sh draws is read."""
    drawn = [
        path
        for path in sorted(RESULTS.glob("*.json"))
        if path.name.startswith(("bench-", "lab-", "peers-", "verdicts-"))
    ]
    assert len(drawn) >= 9
    for path in drawn:
        assert plot.read(path).panels, path
