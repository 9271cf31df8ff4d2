SELECT DATE_TRUNC('year', "Year") AS "Year",
       "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
INNER JOIN (SELECT "Origin" AS "Origin__",
       COUNT(*) AS "mme_inner__"
FROM "cars"
WHERE "Cylinders" > $1::bigint
GROUP BY "Origin"
ORDER BY AVG("Horsepower") DESC
LIMIT 2) AS "series_limit" ON "Origin" = "series_limit"."Origin__"
WHERE "Cylinders" > $2::bigint
GROUP BY DATE_TRUNC('year', "Year"),
         "Origin"
ORDER BY "Year" ASC,
         "Origin" ASC
LIMIT 50000;
-- [3,3]
