SELECT "Horsepower" AS "Horsepower_7a5a4d97",
       "Name" AS "Name_0fe07306"
FROM "cars"
ORDER BY "Horsepower_7a5a4d97" DESC NULLS FIRST,
         "Name_0fe07306" ASC NULLS LAST
LIMIT 8;
-- []
