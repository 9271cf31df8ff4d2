SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE "Cylinders" IN ($1::BIGINT, $2::BIGINT, $3::BIGINT)
  AND "Acceleration" >= $4::DOUBLE
  AND CAST("Weight_in_lbs" AS VARCHAR) LIKE $5
GROUP BY "Origin"
ORDER BY "Origin" ASC
LIMIT 50000;
-- [4,6,8,15.5,"3%"]
