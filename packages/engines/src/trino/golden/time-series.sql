SELECT date_trunc('year', "date") AS "__timestamp",
       "symbol" AS "symbol",
       MAX("price") AS "MAX(price)"
FROM "stocks"
WHERE "date" >= CAST('2005-01-01 00:00:00' AS TIMESTAMP(0))
  AND "date" < CAST('2008-01-01 00:00:00' AS TIMESTAMP(0))
GROUP BY date_trunc('year', "date"),
         "symbol"
ORDER BY "symbol" ASC NULLS LAST,
         "MAX(price)" ASC NULLS LAST
LIMIT 50000;
-- ["2005-01-01 00:00:00","2008-01-01 00:00:00"]
