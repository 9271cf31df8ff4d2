SELECT CAST(make_date(year(make_timestamp_ms(CAST("ts_s" * CAST(1000 AS BIGINT) AS BIGINT))), 1, 1) AS TIMESTAMP) AS "ts_s",
       COUNT(*) AS "count"
FROM (SELECT symbol, price, CAST(EXTRACT(EPOCH FROM date) AS BIGINT) AS ts_s,
      CAST(EXTRACT(EPOCH FROM date) AS BIGINT) * 1000 AS ts_ms, CAST(CAST(date AS DATE) AS VARCHAR) AS d_text,
      CAST(date AS DATE) AS d_date FROM stocks) AS "virtual_table"
WHERE "ts_s" >= $1::BIGINT
  AND "ts_s" < $2::BIGINT
GROUP BY year(make_timestamp_ms(CAST("ts_s" * CAST(1000 AS BIGINT) AS BIGINT)))
ORDER BY "ts_s" ASC
LIMIT 50000;
-- [978307200,1072915200]
