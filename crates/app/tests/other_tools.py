"""Reads an archive with other Parquet tools and prints what they see as JSON."""

import json
import sys

import duckdb
import pyarrow.compute as compute
import pyarrow.parquet as parquet

TAGS = ["event", "white", "black", "result", "white_elo", "black_elo", "date", "eco"]


def with_pyarrow(path):
    table = parquet.read_table(path)
    metadata = parquet.read_metadata(path).metadata
    return {
        "rows": table.num_rows,
        "plies": compute.sum(table["plies"]).as_py() or 0,
        "version": metadata[b"scoresheet.version"].decode(),
        "codec": metadata[b"scoresheet.codec"].decode(),
        "tags": {tag: table[tag].to_pylist() for tag in TAGS},
        "columns": table.column_names,
    }


def with_duckdb(path):
    rows = duckdb.execute(
        f"SELECT {', '.join(TAGS)} FROM read_parquet(?)", [path]
    ).fetchall()
    count, plies = duckdb.execute(
        "SELECT count(*), coalesce(sum(plies), 0) FROM read_parquet(?) WHERE flags % 4 < 2", [path]
    ).fetchone()
    wins = duckdb.execute(
        "SELECT count(*) FROM read_parquet(?) WHERE result = '1-0'", [path]
    ).fetchone()[0]
    return {
        "games": count,
        "plies": int(plies),
        "white_wins": wins,
        "tags": {tag: [row[i] for row in rows] for i, tag in enumerate(TAGS)},
    }


print(json.dumps({"pyarrow": with_pyarrow(sys.argv[1]), "duckdb": with_duckdb(sys.argv[1])}))
