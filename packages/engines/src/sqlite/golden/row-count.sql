SELECT COUNT(*) AS "rowcount"
FROM (SELECT "Origin" AS "Origin",
       "Cylinders" AS "Cylinders",
       COUNT(*) AS "count"
FROM "cars"
GROUP BY "Origin",
         "Cylinders"
LIMIT 50000) AS "rowcount_qry";
-- []
