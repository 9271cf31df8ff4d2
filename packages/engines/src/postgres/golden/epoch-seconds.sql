SELECT DATE_TRUNC('year', (TIMESTAMP 'epoch' + "ts_s" * INTERVAL '1 second')) AS "ts_s",
       COUNT(*) AS "count"
FROM (SELECT symbol, price, CAST(EXTRACT(EPOCH FROM date) AS BIGINT) AS ts_s,
      CAST(EXTRACT(EPOCH FROM date) AS BIGINT) * 1000 AS ts_ms, CAST(CAST(date AS DATE) AS VARCHAR) AS d_text,
      CAST(date AS DATE) AS d_date FROM stocks) AS "virtual_table"
WHERE "ts_s" >= $1::bigint
  AND "ts_s" < $2::bigint
GROUP BY DATE_TRUNC('year', (TIMESTAMP 'epoch' + "ts_s" * INTERVAL '1 second'))
ORDER BY "ts_s" ASC
LIMIT 50000;
-- [978307200,1072915200]
