SELECT "Horsepower" AS "Horsepower",
       "Name" AS "Name"
FROM "cars"
ORDER BY "Horsepower" DESC,
         "Name" ASC
LIMIT 8;
-- []
