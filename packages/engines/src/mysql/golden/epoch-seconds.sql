SELECT MAKEDATE(YEAR(TIMESTAMP('1970-01-01') + INTERVAL `ts_s` SECOND), 1) AS `ts_s`,
       COUNT(*) AS `count`
FROM (SELECT symbol, price, UNIX_TIMESTAMP(date) AS ts_s, UNIX_TIMESTAMP(date) * 1000 AS ts_ms,
      CAST(CAST(date AS DATE) AS CHAR) AS d_text, CAST(date AS DATE) AS d_date FROM stocks) AS `virtual_table`
WHERE `ts_s` >= ?
  AND `ts_s` < ?
GROUP BY MAKEDATE(YEAR(TIMESTAMP('1970-01-01') + INTERVAL `ts_s` SECOND), 1)
ORDER BY `ts_s` IS NULL ASC, `ts_s` ASC
LIMIT 50000;
-- [978307200,1072915200]
