SELECT date_trunc('year', "date") AS "date",
       "symbol" AS "symbol",
       MAX("price") AS "MAX(price)"
FROM "stocks"
WHERE "date" >= CAST('2008-01-01 00:00:00' AS TIMESTAMP(0))
  AND "date" < CAST('2010-01-01 00:00:00' AS TIMESTAMP(0))
GROUP BY date_trunc('year', "date"),
         "symbol"
ORDER BY "date" ASC NULLS LAST,
         "symbol" ASC NULLS LAST
LIMIT 50000;
-- ["2008-01-01 00:00:00","2010-01-01 00:00:00"]

SELECT date_trunc('year', "date") AS "date",
       "symbol" AS "symbol",
       MAX("price") AS "MAX(price)"
FROM "stocks"
WHERE "date" >= CAST('2007-01-01 00:00:00' AS TIMESTAMP(0))
  AND "date" < CAST('2009-01-01 00:00:00' AS TIMESTAMP(0))
GROUP BY date_trunc('year', "date"),
         "symbol"
ORDER BY "date" ASC NULLS LAST,
         "symbol" ASC NULLS LAST
LIMIT 50000;
-- ["2007-01-01 00:00:00","2009-01-01 00:00:00"]
