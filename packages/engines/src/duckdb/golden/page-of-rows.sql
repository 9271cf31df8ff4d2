SELECT "symbol" AS "symbol",
       "date" AS "date"
FROM "stocks"
ORDER BY "symbol" ASC,
         "date" ASC,
         "price" ASC
LIMIT 3 OFFSET 4;
-- []
