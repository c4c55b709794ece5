# The golden CSV, read by Python's own csv module: one header in every mode, the columns of every row, numbers that are
# numbers. The JSON Lines: every line a value of its own.
python=$(command -v python3) || {
	echo "SKIP: python3: not installed" >&2
	exit 77
}
exec "$python" - "$PSTAT_SRCDIR/tests/golden" <<'PYTHON'
import csv, glob, json, os, sys

HEADER = "source start_s end_s window state event value unit per_sec running_pct cpu tid comm note".split()
NOTES = {"", "scaled", "not counted", "not supported", "sampled"}
folder = sys.argv[1]
rows = 0

def check_long(path, first):
    global rows
    with open(path, newline="") as file:
        table = list(csv.reader(file, strict=True))
    if first:
        assert table.pop(0) == HEADER, path
    for row in table:
        assert len(row) == len(HEADER), (path, row)
        cell = dict(zip(HEADER, row))
        assert cell["state"] in ("run", "pause"), (path, row)
        assert cell["note"] in NOTES, (path, row)
        if cell["state"] == "pause":
            assert not any(row[5:]) and cell["window"] == "", (path, row)
        elif cell["note"].startswith("not "):
            assert cell["value"] == "" and cell["per_sec"] == "", (path, row)
        else:
            assert float(cell["value"]) >= 0 and float(cell["per_sec"]) >= 0, (path, row)
        rows += 1

for path in sorted(glob.glob(os.path.join(folder, "csv*.csv"))):
    name = os.path.basename(path)
    if not name.startswith("csv-wide"):
        check_long(path, first="second" not in name)
        continue
    with open(path, newline="") as file:
        table = list(csv.reader(file, strict=True))
    assert table[0][:8] == HEADER[:5] + ["cpu", "tid", "comm"], path
    assert all(len(row) == len(table[0]) for row in table), path
    rows += len(table)

# the intervals of all windows sum up to the total
with open(os.path.join(folder, "csv.csv"), newline="") as file:
    faults = [int(row["value"]) for row in csv.DictReader(file) if row["event"] == "page-faults"]
with open(os.path.join(folder, "json.jsonl"), encoding="utf-8") as file:
    lines = [json.loads(line) for line in file]
total = [line for line in lines if line["type"] == "total"]
assert len(total) == 1
assert sum(faults) == [v["value"] for v in total[0]["values"] if v["event"] == "page-faults"][0] > 0

for path in sorted(glob.glob(os.path.join(folder, "json*.jsonl"))):
    with open(path, encoding="utf-8") as file:
        for line in file:
            value = json.loads(line)
            assert list(value)[0] == "type" and value["type"] in ("meta", "interval", "marker", "window", "total")
            rows += 1
assert rows > 100, rows
PYTHON
