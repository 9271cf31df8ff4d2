SELECT DATETIME(DATETIME("ts_s", 'unixepoch'), 'start of year') AS "ts_s",
       COUNT(*) AS "count"
FROM (SELECT symbol, price, unixepoch(date) AS ts_s, unixepoch(date) * 1000 AS ts_ms, date(date) AS d_text,
      date(date) AS d_date FROM stocks) AS "virtual_table"
WHERE "ts_s" >= ?
  AND "ts_s" < ?
GROUP BY DATETIME(DATETIME("ts_s", 'unixepoch'), 'start of year')
ORDER BY "ts_s" ASC NULLS LAST
LIMIT 50000;
-- [978307200,1072915200]
