SELECT toStartOfYear(fromUnixTimestamp64Milli(toInt64("ts_ms"))) AS "ts_ms_9024c3f9",
       COUNT(*) AS "count_39b1ddf4"
FROM (SELECT symbol, price, CAST(EXTRACT(EPOCH FROM date) AS BIGINT) AS ts_s,
      CAST(EXTRACT(EPOCH FROM date) AS BIGINT) * 1000 AS ts_ms, CAST(CAST(date AS DATE) AS VARCHAR) AS d_text,
      CAST(date AS DATE) AS d_date FROM stocks) AS "virtual_table"
GROUP BY toStartOfYear(fromUnixTimestamp64Milli(toInt64("ts_ms")))
ORDER BY "ts_ms_9024c3f9" ASC NULLS LAST
LIMIT 50000;
-- []
