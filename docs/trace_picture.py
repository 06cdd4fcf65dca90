#!/usr/bin/env python3
"""Draws a piece of a trace (--trace=FILE) as an SVG, for pages that cannot hold a viewer.

    docs/trace_picture.py TRACE BEGIN LENGTH PICTURE

BEGIN and LENGTH are microseconds; a BEGIN below 0 counts from the end. Each core is a row: on top
what ran, below it buffers and the handlers in them, as deep as they nest; arrows are buffers on
their way. Written with nothing but what Python brings.
"""

import html
import json
import sys

WIDTH, LEFT, TOP, DEPTH, BAR, GAP = 960, 70, 44, 3, 16, 26
COLOURS = {"work": "#8fb8de", "short": "#c9dcef", "idle": "#eeeeee", "buffer": "#f2c879",
           "send": "#d98e73", "handler": "#9fce9a"}


def kind(event):
    if event["name"].startswith("send to"):
        return "send"
    return "short" if event["name"] == "short runs" else event["cat"]


def nested(slices):
    """Each slice with the number of those that it lies in. Nanoseconds add up exactly."""
    open_ends = []
    for event in slices:
        begin = round(event["ts"] * 1000)
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        yield event, len(open_ends)
        open_ends.append(begin + round(event["dur"] * 1000))


def main(trace, begin, length, picture):
    with open(trace) as file:
        events = json.load(file)["traceEvents"]
    timed = [event for event in events if event["ph"] in "Xsf"]
    begin, length = float(begin), float(length)
    if begin < 0:
        begin += max(event["ts"] for event in timed)
    end = begin + length
    cores = sorted({event["pid"] for event in timed})
    row = DEPTH * BAR + GAP
    height = TOP + row * len(cores) + 24
    scale = (WIDTH - LEFT - 10) / length

    def x(ts):
        return LEFT + (min(max(ts, begin), end) - begin) * scale

    def y(core, depth):
        return TOP + row * cores.index(core) + BAR * depth

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
           'font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>']
    for k, (name, colour) in enumerate(COLOURS.items()):
        out.append(f'<rect x="{LEFT + 100 * k}" y="10" width="14" height="14" fill="{colour}" '
                   f'stroke="#888"/><text x="{LEFT + 100 * k + 20}" y="21">'
                   f'{"short runs" if name == "short" else name}</text>')
    for core in cores:
        out.append(f'<text x="8" y="{y(core, 0) + 12}">core {core}</text>')
        slices = [event for event in timed if event["ph"] == "X" and event["pid"] == core]
        for event, depth in nested(slices):
            left, right = x(event["ts"]), x(event["ts"] + event["dur"])
            if event["ts"] > end or event["ts"] + event["dur"] < begin or depth >= DEPTH:
                continue
            label = html.escape(event["name"])
            out.append(f'<rect x="{left:.1f}" y="{y(core, depth)}" '
                       f'width="{max(right - left, 0.6):.1f}" height="{BAR - 1}" '
                       f'fill="{COLOURS[kind(event)]}" stroke="#888" stroke-width="0.3">'
                       f'<title>{label}</title></rect>')
            if right - left > 7 * len(event["name"]) + 4:
                out.append(f'<text x="{left + 3:.1f}" y="{y(core, depth) + 12}">{label}</text>')
    starts = {event["id"]: event for event in timed if event["ph"] == "s"}
    for event in timed:
        source = starts.get(event.get("id"))
        if event["ph"] != "f" or event["cat"] != "buffer" or source is None:
            continue
        if source["ts"] < begin or event["ts"] > end:
            continue
        out.append(f'<line x1="{x(source["ts"]):.1f}" y1="{y(source["pid"], 0.5):.1f}" '
                   f'x2="{x(event["ts"]):.1f}" y2="{y(event["pid"], 0.5):.1f}" '
                   'stroke="#444" stroke-width="0.8"/>'
                   f'<circle cx="{x(event["ts"]):.1f}" cy="{y(event["pid"], 0.5):.1f}" r="2"/>')
    out.append(f'<text x="{LEFT}" y="{height - 8}">{length:g} microseconds</text></svg>')
    with open(picture, "w") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
