SELECT "Cylinders" AS "Cylinders"
FROM "cars"
GROUP BY "Cylinders"
ORDER BY "Cylinders" ASC
LIMIT 50000;
-- []
