SELECT DATETIME("Year", 'start of year') AS "Year",
       "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
INNER JOIN (SELECT "Origin" AS "Origin__",
       COUNT(*) AS "mme_inner__"
FROM "cars"
WHERE "Cylinders" > ?
GROUP BY "Origin"
ORDER BY AVG("Horsepower") DESC NULLS FIRST
LIMIT 2) AS "series_limit" ON "Origin" = "series_limit"."Origin__"
WHERE "Cylinders" > ?
GROUP BY DATETIME("Year", 'start of year'),
         "Origin"
ORDER BY "Year" ASC NULLS LAST,
         "Origin" ASC NULLS LAST
LIMIT 50000;
-- [3,3]
