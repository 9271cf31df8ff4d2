SELECT "symbol" AS "symbol_f3fb51d1",
       "date" AS "date_d472dc59"
FROM "stocks"
ORDER BY "symbol_f3fb51d1" ASC NULLS LAST,
         "date_d472dc59" ASC NULLS LAST,
         "price" ASC NULLS LAST
LIMIT 3 OFFSET 4;
-- []
