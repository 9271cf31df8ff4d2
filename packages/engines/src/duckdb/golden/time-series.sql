SELECT CAST(make_date(year("date"), 1, 1) AS TIMESTAMP) AS "__timestamp",
       "symbol" AS "symbol",
       MAX("price") AS "MAX(price)"
FROM "stocks"
WHERE "date" >= CAST($1 AS TIMESTAMP)
  AND "date" < CAST($2 AS TIMESTAMP)
GROUP BY year("date"),
         "symbol"
ORDER BY "symbol" ASC,
         "MAX(price)" ASC
LIMIT 50000;
-- ["2005-01-01 00:00:00","2008-01-01 00:00:00"]
