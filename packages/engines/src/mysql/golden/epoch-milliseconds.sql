SELECT MAKEDATE(YEAR(TIMESTAMP('1970-01-01') + INTERVAL `ts_ms` * 1000 MICROSECOND), 1) AS `ts_ms`,
       COUNT(*) AS `count`
FROM (SELECT symbol, price, UNIX_TIMESTAMP(date) AS ts_s, UNIX_TIMESTAMP(date) * 1000 AS ts_ms,
      CAST(CAST(date AS DATE) AS CHAR) AS d_text, CAST(date AS DATE) AS d_date FROM stocks) AS `virtual_table`
GROUP BY MAKEDATE(YEAR(TIMESTAMP('1970-01-01') + INTERVAL `ts_ms` * 1000 MICROSECOND), 1)
ORDER BY `ts_ms` IS NULL ASC, `ts_ms` ASC
LIMIT 50000;
-- []
