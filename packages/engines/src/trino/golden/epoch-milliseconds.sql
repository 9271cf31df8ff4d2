SELECT date_trunc('year', CAST(from_unixtime(CAST("ts_ms" AS DOUBLE) / 1000) AS TIMESTAMP(3))) AS "ts_ms",
       COUNT(*) AS "count"
FROM (SELECT symbol, price, CAST(to_unixtime(date) AS BIGINT) AS ts_s,
      CAST(to_unixtime(date) AS BIGINT) * 1000 AS ts_ms, CAST(CAST(date AS DATE) AS VARCHAR) AS d_text,
      CAST(date AS DATE) AS d_date FROM stocks) AS "virtual_table"
GROUP BY date_trunc('year', CAST(from_unixtime(CAST("ts_ms" AS DOUBLE) / 1000) AS TIMESTAMP(3)))
ORDER BY "ts_ms" ASC NULLS LAST
LIMIT 50000;
-- []
