SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE NOT (("Horsepower" IS NULL OR "Horsepower" IN (?)))
GROUP BY "Origin"
ORDER BY "Origin" ASC NULLS LAST
LIMIT 50000;
-- [150]
