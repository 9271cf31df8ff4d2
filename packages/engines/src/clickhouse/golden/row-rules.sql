SELECT "Origin" AS "Origin_1f93146f",
       COUNT(*) AS "count_39b1ddf4"
FROM (SELECT * FROM "cars" WHERE (("Origin" = 'Japan') OR ("Origin" = 'Europe' -- both
)) AND ("Cylinders" = 4 OR "Cylinders" = 6) LIMIT 18446744073709551615) AS "cars"
WHERE (1 = 1 OR 2 = 2)
GROUP BY "Origin"
ORDER BY "Origin_1f93146f" ASC NULLS LAST
LIMIT 50000;
-- []
