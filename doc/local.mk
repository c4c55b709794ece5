# Manual pages and prose. Each page is hand-written man(7).
dist_man_MANS += doc/pstat.1 doc/pstat-report.1 doc/pstat.data.5
EXTRA_DIST += doc/architecture.md doc/costs.md
