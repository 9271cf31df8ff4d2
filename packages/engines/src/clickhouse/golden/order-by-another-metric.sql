SELECT "Origin" AS "Origin_1f93146f",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
GROUP BY "Origin"
ORDER BY MAX("Acceleration") ASC NULLS LAST
LIMIT 50000;
-- []
