SELECT DATETIME(DATETIME("ts_ms" / 1000, 'unixepoch'), 'start of year') AS "ts_ms",
       COUNT(*) AS "count"
FROM (SELECT symbol, price, unixepoch(date) AS ts_s, unixepoch(date) * 1000 AS ts_ms, date(date) AS d_text,
      date(date) AS d_date FROM stocks) AS "virtual_table"
GROUP BY DATETIME(DATETIME("ts_ms" / 1000, 'unixepoch'), 'start of year')
ORDER BY "ts_ms" ASC NULLS LAST
LIMIT 50000;
-- []
