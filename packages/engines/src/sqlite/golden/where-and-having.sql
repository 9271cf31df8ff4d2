SELECT "Origin" AS "Origin",
       "Cylinders" AS "Cylinders",
       COUNT(*) AS "count"
FROM "cars"
WHERE ("Horsepower" > 100 -- strong
)
GROUP BY "Origin",
         "Cylinders"
HAVING (COUNT(*) > 10)
ORDER BY "Origin" ASC NULLS LAST,
         "Cylinders" ASC NULLS LAST
LIMIT 50000;
-- []
