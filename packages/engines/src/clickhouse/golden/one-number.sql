SELECT COUNT(*) AS "count_39b1ddf4"
FROM "stocks"
LIMIT 50000;
-- []
