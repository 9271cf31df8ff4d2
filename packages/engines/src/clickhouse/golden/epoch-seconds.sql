SELECT toStartOfYear(fromUnixTimestamp64Milli(toInt64("ts_s" * 1000))) AS "ts_s_010cc88a",
       COUNT(*) AS "count_39b1ddf4"
FROM (SELECT symbol, price, CAST(EXTRACT(EPOCH FROM date) AS BIGINT) AS ts_s,
      CAST(EXTRACT(EPOCH FROM date) AS BIGINT) * 1000 AS ts_ms, CAST(CAST(date AS DATE) AS VARCHAR) AS d_text,
      CAST(date AS DATE) AS d_date FROM stocks) AS "virtual_table"
WHERE "ts_s" >= {p1:Int64}
  AND "ts_s" < {p2:Int64}
GROUP BY toStartOfYear(fromUnixTimestamp64Milli(toInt64("ts_s" * 1000)))
ORDER BY "ts_s_010cc88a" ASC NULLS LAST
LIMIT 50000;
-- [978307200,1072915200]
