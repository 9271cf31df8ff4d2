SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
WHERE NOT (("Horsepower" IS NULL OR "Horsepower" IN ($1::bigint)))
GROUP BY "Origin"
ORDER BY "Origin" ASC
LIMIT 50000;
-- [150]
