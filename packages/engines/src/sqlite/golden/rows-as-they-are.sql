SELECT "Name" AS "Name",
       "Horsepower" AS "Horsepower",
       "Year" AS "Year"
FROM "cars"
ORDER BY "Horsepower" DESC NULLS FIRST,
         "Name" ASC NULLS LAST
LIMIT 5;
-- []
