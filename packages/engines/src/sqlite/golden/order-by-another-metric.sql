SELECT "Origin" AS "Origin",
       COUNT(*) AS "count"
FROM "cars"
GROUP BY "Origin"
ORDER BY MAX("Acceleration") ASC NULLS LAST
LIMIT 50000;
-- []
