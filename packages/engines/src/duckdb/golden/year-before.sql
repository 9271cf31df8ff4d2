SELECT CAST(make_date(year("date"), 1, 1) AS TIMESTAMP) AS "date",
       "symbol" AS "symbol",
       MAX("price") AS "MAX(price)"
FROM "stocks"
WHERE "date" >= CAST($1 AS TIMESTAMP)
  AND "date" < CAST($2 AS TIMESTAMP)
GROUP BY year("date"),
         "symbol"
ORDER BY "date" ASC,
         "symbol" ASC
LIMIT 50000;
-- ["2008-01-01 00:00:00","2010-01-01 00:00:00"]

SELECT CAST(make_date(year("date"), 1, 1) AS TIMESTAMP) AS "date",
       "symbol" AS "symbol",
       MAX("price") AS "MAX(price)"
FROM "stocks"
WHERE "date" >= CAST($1 AS TIMESTAMP)
  AND "date" < CAST($2 AS TIMESTAMP)
GROUP BY year("date"),
         "symbol"
ORDER BY "date" ASC,
         "symbol" ASC
LIMIT 50000;
-- ["2007-01-01 00:00:00","2009-01-01 00:00:00"]
