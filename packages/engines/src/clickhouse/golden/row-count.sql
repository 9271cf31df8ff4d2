SELECT COUNT(*) AS "rowcount"
FROM (SELECT "Origin" AS "Origin_1f93146f",
       "Cylinders" AS "Cylinders_ca2d9534",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
GROUP BY "Origin",
         "Cylinders"
LIMIT 50000) AS "rowcount_qry";
-- []
