SELECT CAST(make_date(year(make_timestamp_ms(CAST("ts_ms" AS BIGINT))), 1, 1) AS TIMESTAMP) AS "ts_ms",
       COUNT(*) AS "count"
FROM (SELECT symbol, price, CAST(EXTRACT(EPOCH FROM date) AS BIGINT) AS ts_s,
      CAST(EXTRACT(EPOCH FROM date) AS BIGINT) * 1000 AS ts_ms, CAST(CAST(date AS DATE) AS VARCHAR) AS d_text,
      CAST(date AS DATE) AS d_date FROM stocks) AS "virtual_table"
GROUP BY year(make_timestamp_ms(CAST("ts_ms" AS BIGINT)))
ORDER BY "ts_ms" ASC
LIMIT 50000;
-- []
