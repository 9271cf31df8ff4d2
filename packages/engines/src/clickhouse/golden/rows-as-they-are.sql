SELECT "Name" AS "Name_0fe07306",
       "Horsepower" AS "Horsepower_7a5a4d97",
       "Year" AS "Year_155ee43c"
FROM "cars"
ORDER BY "Horsepower_7a5a4d97" DESC NULLS FIRST,
         "Name_0fe07306" ASC NULLS LAST
LIMIT 5;
-- []
