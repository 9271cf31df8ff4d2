SELECT COUNT(*) AS "count"
FROM "stocks"
LIMIT 50000;
-- []
