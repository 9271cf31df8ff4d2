SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE "Cylinders" IN ($1::bigint, $2::bigint, $3::bigint)
  AND "Acceleration" >= $4::numeric
  AND CAST("Weight_in_lbs" AS TEXT) LIKE $5
GROUP BY "Origin"
ORDER BY "Origin" ASC
LIMIT 50000;
-- [4,6,8,15.5,"3%"]
