SELECT "Cylinders" AS "Cylinders_ca2d9534"
FROM "cars"
GROUP BY "Cylinders"
ORDER BY "Cylinders_ca2d9534" ASC NULLS LAST
LIMIT 50000;
-- []
