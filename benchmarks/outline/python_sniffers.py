"""What csv-detective and CleverCSV see in labelled sheets that are texts.

pip install csv-detective==0.13.0 clevercsv==0.8.5
python benchmarks/outline/python_sniffers.py test/fixtures/sheets/studied ...
"""

import json
import sys
from pathlib import Path

import clevercsv
from csv_detective import routine


def by_csv_detective(path):
    seen = routine(str(path), num_rows=-1, save_results=False, output_profile=False)
    return {
        "delimiter": seen.get("separator"),
        "header rows": [seen.get("header_row_idx", -1) + 1],
    }


def by_clevercsv(path):
    text = path.read_text(encoding="utf-8-sig")
    dialect = clevercsv.Sniffer().sniff(text)
    return {"delimiter": (dialect.delimiter or None) if dialect else None}


TOOLS = {"csv-detective": by_csv_detective, "CleverCSV": by_clevercsv}


def wanted(label):
    return {"delimiter": label["delimiter"], "header rows": label["header"]}


def measure(folder):
    sheets = sorted(Path(folder).glob("*.csv"))
    for tool, see in TOOLS.items():
        right, told = {}, {}
        for path in sheets:
            label = wanted(json.loads(path.with_suffix(".json").read_text(encoding="utf-8")))
            try:
                seen = see(path)
            except Exception:  # It refuses what it makes nothing of.
                seen = {}
            for mark, value in label.items():
                if tool == "CleverCSV" and mark != "delimiter":
                    continue
                told[mark] = told.get(mark, 0) + 1
                right[mark] = right.get(mark, 0) + (mark in seen and seen[mark] == value)
        for mark, count in told.items():
            print(f"{Path(folder).name}, {tool}: {mark:12} {100 * right[mark] / count:5.1f}")


for folder in sys.argv[1:]:
    measure(folder)
