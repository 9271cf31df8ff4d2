SELECT toStartOfYear("Year") AS "Year_155ee43c",
       "Origin" AS "Origin_1f93146f",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
INNER JOIN (SELECT "Origin" AS "Origin___92528add",
       COUNT(*) AS "mme_inner__"
FROM "cars"
WHERE "Cylinders" > {p1:Int64}
GROUP BY "Origin"
ORDER BY AVG("Horsepower") DESC NULLS FIRST
LIMIT 2) AS "series_limit" ON "Origin" = "series_limit"."Origin___92528add"
WHERE "Cylinders" > {p2:Int64}
GROUP BY toStartOfYear("Year"),
         "Origin"
ORDER BY "Year_155ee43c" ASC NULLS LAST,
         "Origin_1f93146f" ASC NULLS LAST
LIMIT 50000;
-- [3,3]
