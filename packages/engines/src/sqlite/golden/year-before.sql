SELECT DATETIME("date", 'start of year') AS "date",
       "symbol" AS "symbol",
       MAX("price") AS "MAX(price)"
FROM "stocks"
WHERE "date" >= ?
  AND "date" < ?
GROUP BY DATETIME("date", 'start of year'),
         "symbol"
ORDER BY "date" ASC NULLS LAST,
         "symbol" ASC NULLS LAST
LIMIT 50000;
-- ["2008-01-01","2010-01-01"]

SELECT DATETIME("date", 'start of year') AS "date",
       "symbol" AS "symbol",
       MAX("price") AS "MAX(price)"
FROM "stocks"
WHERE "date" >= ?
  AND "date" < ?
GROUP BY DATETIME("date", 'start of year'),
         "symbol"
ORDER BY "date" ASC NULLS LAST,
         "symbol" ASC NULLS LAST
LIMIT 50000;
-- ["2007-01-01","2009-01-01"]
