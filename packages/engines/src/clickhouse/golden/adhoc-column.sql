SELECT UPPER("Origin") AS "loud_f625882d",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
GROUP BY UPPER("Origin")
ORDER BY "count_39b1ddf4" DESC NULLS FIRST
LIMIT 50000;
-- []
