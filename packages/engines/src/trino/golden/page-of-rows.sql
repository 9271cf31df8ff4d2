SELECT "symbol" AS "symbol",
       "date" AS "date"
FROM "stocks"
ORDER BY "symbol" ASC NULLS LAST,
         "date" ASC NULLS LAST,
         "price" ASC NULLS LAST
OFFSET 4 LIMIT 3;
-- []
