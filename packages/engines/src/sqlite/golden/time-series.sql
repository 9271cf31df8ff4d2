SELECT DATETIME("date", 'start of year') AS "__timestamp",
       "symbol" AS "symbol",
       MAX("price") AS "MAX(price)"
FROM "stocks"
WHERE "date" >= ?
  AND "date" < ?
GROUP BY DATETIME("date", 'start of year'),
         "symbol"
ORDER BY "symbol" ASC NULLS LAST,
         "MAX(price)" ASC NULLS LAST
LIMIT 50000;
-- ["2005-01-01","2008-01-01"]
