SELECT "Horsepower" AS "Horsepower",
       "Name" AS "Name"
FROM "cars"
ORDER BY "Horsepower" DESC NULLS FIRST,
         "Name" ASC NULLS LAST
LIMIT 8;
-- []
