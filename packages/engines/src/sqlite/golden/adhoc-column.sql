SELECT UPPER("Origin") AS "loud",
       COUNT(*) AS "count"
FROM "cars"
GROUP BY UPPER("Origin")
ORDER BY "count" DESC NULLS FIRST
LIMIT 50000;
-- []
