SELECT "Origin" AS "Origin_1f93146f",
       "Cylinders" AS "Cylinders_ca2d9534",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
WHERE ("Horsepower" > 100 -- strong
)
GROUP BY "Origin",
         "Cylinders"
HAVING (COUNT(*) > 10)
ORDER BY "Origin_1f93146f" ASC NULLS LAST,
         "Cylinders_ca2d9534" ASC NULLS LAST
LIMIT 50000;
-- []
