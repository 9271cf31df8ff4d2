SELECT date_trunc('year', CAST(from_unixtime("ts_s") AS TIMESTAMP(3))) AS "ts_s",
       COUNT(*) AS "count"
FROM (SELECT symbol, price, CAST(to_unixtime(date) AS BIGINT) AS ts_s,
      CAST(to_unixtime(date) AS BIGINT) * 1000 AS ts_ms, CAST(CAST(date AS DATE) AS VARCHAR) AS d_text,
      CAST(date AS DATE) AS d_date FROM stocks) AS "virtual_table"
WHERE "ts_s" >= 978307200
  AND "ts_s" < 1072915200
GROUP BY date_trunc('year', CAST(from_unixtime("ts_s") AS TIMESTAMP(3)))
ORDER BY "ts_s" ASC NULLS LAST
LIMIT 50000;
-- [978307200,1072915200]
