SELECT "Horsepower" AS "Horsepower",
       "Name" AS "Name"
FROM "cars"
ORDER BY "Horsepower" DESC NULLS FIRST,
         "Name" ASC
LIMIT 8;
-- []
