SELECT DATE_TRUNC('year', (TIMESTAMP 'epoch' + "ts_ms" / 1000.0 * INTERVAL '1 second')) AS "ts_ms",
       COUNT(*) AS "count"
FROM (SELECT symbol, price, CAST(EXTRACT(EPOCH FROM date) AS BIGINT) AS ts_s,
      CAST(EXTRACT(EPOCH FROM date) AS BIGINT) * 1000 AS ts_ms, CAST(CAST(date AS DATE) AS VARCHAR) AS d_text,
      CAST(date AS DATE) AS d_date FROM stocks) AS "virtual_table"
GROUP BY DATE_TRUNC('year', (TIMESTAMP 'epoch' + "ts_ms" / 1000.0 * INTERVAL '1 second'))
ORDER BY "ts_ms" ASC
LIMIT 50000;
-- []
